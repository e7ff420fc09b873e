# typo_in_a_field_assigned.py:11: State has no field 'enabeld'; did you mean 'enabled'?
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.enabeld = True
