# if_of_a_field.py:13: a model expression has no truth value here; write `with m.when(...):` instead of `if`, m.require(...) for a guard, .implies(...) in a property
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    if not m.has("timing"):
        s.level = 0
    elif s.enabled:
        s.enabled = False
    else:
        s.level = 1
