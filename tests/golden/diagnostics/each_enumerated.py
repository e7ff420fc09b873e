# each_enumerated.py:11: m.each(...) is not what a `for` statement goes through; write `for i in m.each(Cls):`
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for number, queue in enumerate(m.each(Queue)):
        s.level = number
        s.last = queue
