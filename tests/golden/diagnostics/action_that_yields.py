# action_that_yields.py:10: the action 'run' yields or awaits; write one atomic step an action
from collections.abc import Iterator

from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="run()")
def run(m: Step, s: State) -> Iterator[None]:
    """Run."""
    s.enabled = True
    yield
    s.enabled = False
