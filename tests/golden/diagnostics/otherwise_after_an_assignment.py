# otherwise_after_an_assignment.py:14: m.otherwise() does not follow m.when(); put it right after the `with m.when(...)` block
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.enabled):
        s.level = 0
    s.enabled = False
    with m.otherwise():
        s.level = 1
