# missing_parentheses.py:11: 1 is used where Bool is expected in `&`; put each comparison in parentheses: (a == b) & (c == d)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.level == 1 & s.busy[queue], "busy")
