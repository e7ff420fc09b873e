# action_called_like_a_components.py:14: two actions are called 'acquire'; rename one of them
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabled = True


@protocol.action(by=HOST, src="acquire()")
def acquire(m: Step, s: State) -> None:
    """Acquire."""
    s.enabled = False
