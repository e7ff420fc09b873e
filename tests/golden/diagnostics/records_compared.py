# records_compared.py:11: a Packet cannot be compared; compare its fields, or the indices
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue] == s.packets[s.last], "same")
