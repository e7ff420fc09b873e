# wrong_enum.py:11: Colour.RED is used where Phase is expected in an assignment to phase; it is one of Phase.FREE, Phase.ARMED
from fencepost import Step
from toy import HOST, Colour, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    s.packets[queue].phase = Colour.RED
