# guard_after_a_bound.py:12: the guard 'busy' comes after a bound; put m.bound(...) after every m.require
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.bound(s.level < 3, "small")
    m.require(s.busy[queue], "busy")
