# number_for_an_option.py:11: 1 is used where Maybe[Handle] is expected in an assignment to current; write None, or Handle.at(1)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.current = 1
