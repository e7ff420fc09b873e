# return_from_a_branch.py:12: `return` leaves a `with m.when(...)` block, which would leave out the rest for every state; write the other case under m.otherwise()
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.enabled):
        return
    s.level = 0
