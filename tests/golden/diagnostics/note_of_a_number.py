# note_of_a_number.py:11: a note is of something that is no index; give it an index, such as a handle
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.note("level", of=s.level)
