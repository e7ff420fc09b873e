# note_without_a_place.py:11: action dispatch: the note 'level' has 1 values; write one {} for each value
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.note("level", s.level)
