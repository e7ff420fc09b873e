# note_with_a_formatted_value.py:11: a model expression has no value to put in a text yet; write m.note("... {}", value)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.note(f"level {s.level}")
