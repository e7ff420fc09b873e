# python_set.py:11: {1} is used where SetOf[Handle] is expected in an assignment to held; write the_set.adding(item) or .removing(item), or a list of constants
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.held = {1}
