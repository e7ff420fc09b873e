# number_as_index.py:11: 0 is used where Queue is expected in busy[...]; write Queue.at(0)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.busy[0] = True
