# iterate_members.py:11: a model expression cannot be iterated; write `for i in m.each(SomeIndex):`
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for handle in s.held:
        s.current = handle
