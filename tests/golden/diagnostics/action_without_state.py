# action_without_state.py:8: the action 'run' takes 1 parameters; let it take (m: Step, s: State, ...)
from fencepost import Step
from toy import HOST, toy

protocol = toy()


@protocol.action(by=HOST, src="run()")
def run(m: Step) -> None:
    """Run."""
