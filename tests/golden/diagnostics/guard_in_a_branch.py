# guard_in_a_branch.py:12: the guard 'busy' is inside a branch or loop; move it to the top of the action, as (~condition_of_the_branch) | guard
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    with m.when(s.enabled):
        m.require(s.busy[queue], "busy")
