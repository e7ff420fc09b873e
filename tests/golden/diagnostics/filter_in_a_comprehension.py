# filter_in_a_comprehension.py:11: a model expression has no truth value here; write count(SomeIndex, lambda i: ...) or ite(...) instead of an `if` in a comprehension
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    busy = [i for i in (0, 1) if s.busy[Queue.at(i)]]
    s.level = len(busy)
