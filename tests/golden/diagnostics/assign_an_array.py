# assign_an_array.py:11: busy is an array; assign one element: busy[i] = ...
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.busy = True
