# while_statement.py:11: a model expression has no truth value here; an action is one atomic step: write `for i in m.each(...):`, or several actions, instead of `while`
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    while s.level > 0:
        s.level = s.level - 1
