# value_used_after_its_branch.py:14: the value of level was read in a branch or loop that has ended (line 13); read it again here
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    with m.when(s.enabled):
        s.level = 1
        level = s.level
    s.enabled = level == 1
