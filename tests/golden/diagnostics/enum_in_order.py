# enum_in_order.py:11: a model Choice has no operator >=; write choice.is_in(...) to compare with several
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].phase >= Phase.ARMED, "armed")
