# start_out_of_range.py:9: level cannot start as 7; it has 0..3
from toy import State, toy

protocol = toy()


@protocol.start
def start(s: State) -> None:
    s.level = 7
