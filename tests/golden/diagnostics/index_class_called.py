# index_class_called.py:11: Queue(...) does not make a model expression; write Queue.at(...)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = Queue(1)
