# missing_parentheses_after_an_enum.py:11: Phase.FREE is used where Bool is expected in `&`; put each comparison in parentheses: (a == b) & (c == d)
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].phase == Phase.FREE & s.busy[queue], "busy")
