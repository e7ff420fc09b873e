# indices_in_order.py:11: a model Queue has no operator <; write a.ordinal < b.ordinal
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(queue < s.last, "earlier")
