# match_statement.py:12: a model expression has no truth value here; write `with m.when(...):` instead of `match`
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    match s.packets[queue].phase:
        case Phase.FREE:
            s.enabled = True
