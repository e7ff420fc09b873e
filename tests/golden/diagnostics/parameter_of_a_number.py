# parameter_of_a_number.py:8: the parameter 'level' of 'dispatch' has no sort; annotate it with an Index class, Bool, Choice[...] or Maybe[...]
from fencepost import Int, Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, level: Int) -> None:
    """Dispatch."""
    s.level = level
