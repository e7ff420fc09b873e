# parameter_without_annotation.py:8: the parameter 'queue' of 'dispatch' has no sort; annotate it with an Index class, Bool, Choice[...] or Maybe[...]
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue) -> None:
    """Dispatch."""
    s.busy[queue] = True
