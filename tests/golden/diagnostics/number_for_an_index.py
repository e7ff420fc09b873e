# number_for_an_index.py:11: a number is used where Queue is expected in an assignment to last; write Queue.of(...) for a computed position
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = s.level
