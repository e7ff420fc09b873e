# when_without_with.py:11: m.when(...) is not the head of a `with`; write `with m.when(...):`
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.when(s.enabled)
    s.level = 0
