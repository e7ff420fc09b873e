# unknown_feature.py:11: the protocol has no feature 'timming'; did you mean 'timing'?
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    if m.has("timming"):
        s.level = 1
