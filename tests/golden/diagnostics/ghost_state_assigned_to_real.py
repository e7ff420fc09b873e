# ghost_state_assigned_to_real.py:11: action dispatch: enabled is assigned from ghost state; only ghost variables may be
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabled = s.seen
