# option_put_into_a_set.py:11: Maybe[Handle] is used where Handle is expected in a set; write .get
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.held = s.held.adding(s.current)
