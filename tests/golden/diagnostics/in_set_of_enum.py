# in_set_of_enum.py:11: a model expression cannot be in a Python set or be a key; write choice.is_in(...) to compare
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].phase in {Phase.FREE, Phase.ARMED}, "known")
