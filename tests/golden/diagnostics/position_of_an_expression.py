# position_of_an_expression.py:11: Queue.at() takes a Python number; write Queue.of(...) for a computed one
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = Queue.at(s.level)
