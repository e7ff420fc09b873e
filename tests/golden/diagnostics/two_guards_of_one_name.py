# two_guards_of_one_name.py:12: two guards of this action are called 'ready'; give each its own name
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.enabled, "ready")
    m.require(s.busy[queue], "ready")
