# computed_position_of_a_number.py:11: Queue.of() takes a model number; write Queue.at(...)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = Queue.of(1)
