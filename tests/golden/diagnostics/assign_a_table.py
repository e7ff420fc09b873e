# assign_a_table.py:11: packets is a table; assign a field of one record: packets[i].field = ...
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.packets = s.packets
