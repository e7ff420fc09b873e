# assign_a_record.py:11: packets[...] is a record; assign its fields one by one
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.packets[queue] = s.packets[queue]
