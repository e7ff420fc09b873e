# guard_on_ghost_state.py:11: action dispatch: the guard 'seen' reads ghost state; only properties may read it
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.require(s.seen, "seen")
