# symmetric_first_in_order.py:15: the turns of the loop over Handle may differ by their order: current is assigned by one and read or assigned by another; let each turn change only what belongs to its index, or add up, or set one constant
from fencepost import Protocol, Size, Step
from toy import HOST, Handle, Queue, State

protocol = Protocol(
    "toy",
    state=State,
    sizes=[Size("queues", Queue, default=2), Size("handles", Handle, default=2, symmetric=True)],
)


@protocol.action(by=HOST, src="take()")
def take(m: Step, s: State) -> None:
    """Take the first one that is held."""
    for handle in m.each(Handle):
        with m.when(s.current.is_none & s.held.has(handle)):
            s.current = handle
