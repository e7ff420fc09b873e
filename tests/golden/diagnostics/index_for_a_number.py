# index_for_a_number.py:11: Queue is used where a number is expected in an assignment to level; write .ordinal for its position as a number
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.level = queue
