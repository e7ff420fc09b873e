# branch_on_ghost_state.py:12: action dispatch: a branch on ghost state assigns enabled; assign only ghost variables there
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.seen):
        s.enabled = True
