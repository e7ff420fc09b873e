# clear_of_a_field.py:11: m.clear() takes a record; assign the field itself
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.clear(s.level)
