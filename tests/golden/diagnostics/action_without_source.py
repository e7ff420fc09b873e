# action_without_source.py:8: the action 'run' says no source; give src="the code it stands for"
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="")
def run(m: Step, s: State) -> None:
    """Run."""
    s.enabled = True
