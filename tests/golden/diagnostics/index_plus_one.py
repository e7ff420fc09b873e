# index_plus_one.py:11: a model Queue has no operator +; write .next for the following position of a ring, or Cls.of(i.ordinal + 1)
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    s.last = s.last + 1
