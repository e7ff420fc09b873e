# in_members.py:11: `in` does not work on a model expression; write the_set.has(item)
from fencepost import Step
from toy import HOST, Handle, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, handle: Handle) -> None:
    """Dispatch."""
    m.require(handle in s.held, "held")
