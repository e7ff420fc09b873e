# or_operator.py:11: a model expression has no truth value here; write (a) | (b) instead of `a or b`
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.busy[queue] or s.enabled, "either")
