# copy_between_classes.py:11: m.copy() was given a Packet and a Mutex; give it two records of one class
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.copy(s.packets[queue], s.lock)
