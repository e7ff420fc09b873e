# not_operator.py:11: a model expression has no truth value here; write ~(a) instead of `not a`
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(not s.busy[queue], "idle")
