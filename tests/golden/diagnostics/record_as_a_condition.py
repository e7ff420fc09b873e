# record_as_a_condition.py:11: a Packet has no truth value; ask for one of its fields
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    if s.packets[queue]:
        s.enabled = True
