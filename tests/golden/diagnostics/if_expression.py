# if_expression.py:11: a model expression has no truth value here; write ite(c, a, b) instead of `a if c else b`
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.level = 1 if s.busy[queue] else 2
