# min_of_expressions.py:11: a model expression has no truth value here; write ite(a < b, a, b) instead of min()
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.level = min(s.level, 2)
