# index_used_after_its_loop.py:13: the index 'queue' of m.each(...) is used after its loop; use it inside the loop
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for queue in m.each(Queue):
        s.busy[queue] = False
    s.last = queue
