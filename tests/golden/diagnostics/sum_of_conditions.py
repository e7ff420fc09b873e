# sum_of_conditions.py:11: a model Bool has no operator +; write ite(condition, 1, 0) for a number
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.level = s.busy[Queue.at(0)] + s.busy[Queue.at(1)]
