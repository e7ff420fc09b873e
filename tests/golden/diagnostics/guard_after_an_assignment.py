# guard_after_an_assignment.py:12: the guard 'busy' comes after an assignment; move it to the top of the action
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.enabled = True
    m.require(s.busy[queue], "busy")
