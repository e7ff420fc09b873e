# choice_of_nothing.py:11: ite() chooses between None and None; give it a model expression
from fencepost import Step, ite
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.current = ite(s.enabled, None, None)
