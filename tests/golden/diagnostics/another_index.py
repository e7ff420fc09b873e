# another_index.py:11: Handle is used where Queue is expected in busy[...]; write a Queue
from fencepost import Step
from toy import HOST, Handle, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, handle: Handle) -> None:
    """Dispatch."""
    s.busy[handle] = True
