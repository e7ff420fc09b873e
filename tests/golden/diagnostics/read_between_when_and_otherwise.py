# read_between_when_and_otherwise.py:13: a field is read between m.when(...) and its m.otherwise(); read it before the one or after the other
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.enabled):
        s.level = 0
    level = s.level
    with m.otherwise():
        s.level = 1
    s.enabled = level == 1
