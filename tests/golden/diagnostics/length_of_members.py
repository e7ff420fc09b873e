# length_of_members.py:11: a model expression has no len(); write count(SomeIndex, lambda i: ...)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.require(len(s.held) > 0, "some")
