# index_compared_with_number.py:11: 0 is used where Queue is expected in a comparison; write Queue.at(0)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(queue == 0, "first")
