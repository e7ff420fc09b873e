# number_for_a_condition.py:11: 1 is used where Bool is expected in an assignment to enabled; write True or False
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabled = 1
