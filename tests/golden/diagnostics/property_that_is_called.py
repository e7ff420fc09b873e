# property_that_is_called.py:11: a model Bool cannot be called; leave out the parentheses after it
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.require(s.current.is_none(), "none")
