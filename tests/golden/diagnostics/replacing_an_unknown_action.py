# replacing_an_unknown_action.py:9: mine has no action 'aquire'; did you mean 'acquire'?
from fencepost import Step
from toy import State, toy

base = toy()
protocol = base.extend("mine")


@protocol.replace("aquire")
def acquire(m: Step, s: State) -> None:
    """Acquire."""
    s.enabled = True
