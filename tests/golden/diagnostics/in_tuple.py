# in_tuple.py:11: a model expression has no truth value here; write the_set.has(item) or choice.is_in(...) instead of `in`
from fencepost import Step
from toy import HOST, Phase, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(s.packets[queue].phase in (Phase.FREE, Phase.ARMED), "known")
