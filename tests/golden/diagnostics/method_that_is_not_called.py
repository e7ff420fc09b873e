# method_that_is_not_called.py:11: the function 'is_free' is used where Bool is expected in the guard 'free'; call it: is_free(...)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].is_free, "free")
