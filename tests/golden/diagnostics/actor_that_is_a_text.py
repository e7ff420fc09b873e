# actor_that_is_a_text.py:8: the action 'run' is by 'host', which is no actor; give by=Actor("...")
from fencepost import Step
from toy import State, toy

protocol = toy()


@protocol.action(by="host", src="run()")
def run(m: Step, s: State) -> None:
    """Run."""
    s.enabled = True
