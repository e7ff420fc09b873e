# chained_comparison.py:11: a model expression has no truth value here; write (a < b) & (b < c) instead of the chained comparison `a < b < c`
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(0 < s.level < 3, "some")
