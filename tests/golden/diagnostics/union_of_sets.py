# union_of_sets.py:11: a model SetOf has no operator |; write the_set.adding(item), .removing(item) or .has(item)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.held = s.held | s.held
