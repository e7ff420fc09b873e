# note_with_a_python_number.py:11: a note is given 3; write what is known now into its text
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.note("level {}", 3)
