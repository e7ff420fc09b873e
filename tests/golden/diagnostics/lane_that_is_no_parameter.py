# lane_that_is_no_parameter.py:8: the actor 'processor' of 'run' is told apart by 'queue', which is no parameter; give the action that parameter
from fencepost import Actor, Step
from toy import State, toy

protocol = toy()


@protocol.action(by=Actor("processor", lane="queue"), src="run()")
def run(m: Step, s: State) -> None:
    """Run."""
    s.enabled = True
