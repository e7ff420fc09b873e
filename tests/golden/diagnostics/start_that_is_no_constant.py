# start_that_is_no_constant.py:9: the start of enabled is not a constant; assign constants at constant indices
from toy import State, toy

protocol = toy()


@protocol.start
def start(s: State) -> None:
    s.enabled = s.level == 0
