# two_actions_of_one_name.py:14: two actions are called 'dispatch'; rename one of them
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabled = True


@protocol.action(by=HOST, src="dispatch(again)", name="dispatch")
def dispatch_again(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabled = False
