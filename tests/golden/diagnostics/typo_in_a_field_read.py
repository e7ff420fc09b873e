# typo_in_a_field_read.py:11: Packet has no field 'phse'; did you mean 'phase'?
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].phse == Phase.FREE, "free")
