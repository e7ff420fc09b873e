# when_on_a_number.py:11: a number is used where Bool is expected in m.when(); compare it, as in x > 0 or x == y
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.level):
        s.level = 0
