# position_beyond_the_size.py:11: Queue has no position 2; it has 0..1
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = Queue.at(2)
