"""The protocol object: sizes, features and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.ring import InitialSlot, RingSlot
from fencepost_rocm.issued_ops.state import State, SubOp
from fencepost_rocm.sources import CLR

HOST = Actor("app")
"""The thread that is inside a call, holding execution()."""

OTHER = Actor("app 2")
"""A thread that waits for a command, or sets a flag."""

protocol = Protocol(
    "issued-ops",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=2, low=2, high=2, help="the compute queue and the engine beside it"),
        Size("slots", PacketSlot, default=2, low=1, high=4, help="packets in the window of a queue"),
        Size("operations", SubOp, default=2, low=1, high=3, help="operations that share one signal"),
        Size(
            "ring",
            InitialSlot,
            default=2,
            low=2,
            high=4,
            help="signals the ring starts with (64)",
            at_most=("room", "handles"),
        ),
        Size("room", RingSlot, default=3, low=2, high=5, help="signals the ring may grow to"),
        Size("handles", Handle, default=3, low=2, high=6, symmetric=True, help="signals there can be"),
    ],
    features=[
        Feature("host-kernel", "a kernel that spins on a flag which another thread sets after a call", default=False),
    ],
    variants=[
        Variant(
            "reset-at-once",
            "the slot is rolled back without a wait for the operations that were issued",
            breaks="rolled-back-only-when-nothing-is-owed",
            source="#13507, before the fix",
        ),
        Variant(
            "wait-for-zero",
            "the wait is for 0, not for what the operations that were never issued leave",
            breaks="no-hang",
            source="#13507: the rule on sub-operations",
        ),
        Variant(
            "wait-in-one-tracker",
            "only RetiringSignalTracker waits",
            breaks="rolled-back-only-when-nothing-is-owed",
            source="#13507: with either tracker",
        ),
        Variant(
            "roll-back-then-wait",
            "the slot is rolled back first; the wait for a count that the store of 0 has met is over at once",
            breaks="rolled-back-only-when-nothing-is-owed",
        ),
        Variant(
            "signal-not-cleared",
            "the slot is rolled back without the store of 0",
            breaks="no-hang",
        ),
        Variant(
            "slot-not-rolled-back",
            "the slot of the failed command stays current",
            breaks="last-signal-covers-all-work",
        ),
        Variant(
            "repaired",
            "nothing is waited for: an empty packet stands in for each operation that was not issued",
            features=("host-kernel",),
            source="docs/findings.md",
        ),
        Variant(
            "taken-off-by-the-host",
            "nothing is waited for: the host subtracts what was not issued; right in host memory only",
            breaks="no-hang",
            source="docs/findings.md",
        ),
    ],
    default="merged",
    sources=CLR,
    doc="WaitForIssuedOps: one signal for several operations, of which ROCr refuses one, as merged.",
)


@protocol.start
def create(s: State) -> None:
    """HwQueueTracker::Create: the ring's first signals, idle."""
    for position in range(Handle.count()):
        in_ring = position < InitialSlot.count()
        s.gpu.pool.signals[Handle.at(position)].alive = in_ring
        free = Handle.count() - 1 - position
        s.gpu.pool.free[Handle.at(position)] = Handle.at(free) if free >= InitialSlot.count() else None
