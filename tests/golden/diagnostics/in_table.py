# in_table.py:11: `in` does not work on the table packets; write exists(SomeIndex, lambda i: ...)
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Dispatch."""
    m.require(queue in s.packets, "there")
