# symmetric_lowest_free.py:17: handle is used as a number, but its size is declared symmetric; compare it with == and find it by exists(...); or do not declare the size symmetric
from fencepost import Protocol, Size, Step, forall
from toy import HOST, Handle, Queue, State

protocol = Protocol(
    "toy",
    state=State,
    sizes=[Size("queues", Queue, default=2), Size("handles", Handle, default=2, symmetric=True)],
)


@protocol.action(by=HOST, src="take()")
def take(m: Step, s: State, handle: Handle) -> None:
    """Take the lowest one that is free."""
    m.require(~s.held.has(handle), "free")
    m.require(
        forall(Handle, lambda other: (other.ordinal >= handle.ordinal) | s.held.has(other)),
        "lowest",
    )
    s.held = s.held.adding(handle)
