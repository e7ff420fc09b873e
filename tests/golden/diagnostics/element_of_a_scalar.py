# element_of_a_scalar.py:11: a model Int has no elements; declare it with array(...) or table(...)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.level[queue] = 1
