# true_for_a_number.py:11: True is used where a number is expected in an assignment to level; write 1
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.level = True
