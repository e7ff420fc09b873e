# product.py:11: a model Int has no operator *; model numbers have + and - alone
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.level = s.level * 2
