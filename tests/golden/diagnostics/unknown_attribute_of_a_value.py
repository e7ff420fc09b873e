# unknown_attribute_of_a_value.py:11: a model Maybe has no 'is_nothing'; did you mean 'is_none'?
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.require(s.current.is_nothing, "none")
