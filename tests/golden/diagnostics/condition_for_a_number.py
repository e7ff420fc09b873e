# condition_for_a_number.py:11: Bool is used where a number is expected in an assignment to level; write ite(condition, 1, 0)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.level = s.enabled
