# any_of_expressions.py:11: a model expression has no truth value here; write exists(SomeIndex, lambda i: ...) instead of any()
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.require(any([s.busy[Queue.at(0)], s.busy[Queue.at(1)]]), "busy")
