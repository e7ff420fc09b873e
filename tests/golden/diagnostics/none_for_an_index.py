# none_for_an_index.py:11: None is used where Queue is expected in an assignment to last; declare the field with maybe(...) if it can be none
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = None
