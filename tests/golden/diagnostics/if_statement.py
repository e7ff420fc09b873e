# if_statement.py:11: a model expression has no truth value here; write `with m.when(...):` instead of `if`, m.require(...) for a guard, .implies(...) in a property
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    if s.busy[queue]:
        s.enabled = True
