# symmetric_constant.py:16: 0 is a certain Handle, which is declared symmetric; compare it with == and find it by exists(...); or do not declare the size symmetric
from fencepost import Protocol, Size, Step
from toy import HOST, Handle, Queue, State

protocol = Protocol(
    "toy",
    state=State,
    sizes=[Size("queues", Queue, default=2), Size("handles", Handle, default=2, symmetric=True)],
)


@protocol.action(by=HOST, src="take()")
def take(m: Step, s: State) -> None:
    """Take the first one."""
    m.require(s.current.is_none, "nothing taken")
    s.current = Handle.at(0)
    s.held = s.held.adding(Handle.at(0))
