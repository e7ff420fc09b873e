# choice_of_two_sorts.py:11: Queue is used where a number is expected in ite(); write .ordinal for its position as a number
from fencepost import Step, ite
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.level = ite(s.enabled, s.level, queue)
