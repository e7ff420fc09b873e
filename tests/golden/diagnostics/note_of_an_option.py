# note_of_an_option.py:11: a note is of something that is no index; write .get for the index that it holds
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.note("taken", of=s.current)
