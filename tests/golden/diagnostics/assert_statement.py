# assert_statement.py:11: a model expression has no truth value here; write m.require(...) for a guard, or a property, instead of `assert`
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    assert s.level < 3
    s.level = s.level + 1
