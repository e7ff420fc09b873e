# when_on_a_python_bool.py:11: m.when() was given a Python bool; write a plain Python `if`
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(m.has("timing")):
        s.level = 0
