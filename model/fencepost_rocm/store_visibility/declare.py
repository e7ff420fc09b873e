"""The protocol's name, sizes, optional parts and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.visibility import BusPlace, Core
from fencepost_rocm.sources import CLR
from fencepost_rocm.store_visibility.state import State

HOST = Actor("app", lane="core")
"""A host thread inside the runtime, on a core of its own."""

OTHER = Actor("other stream")
"""A thread that makes a stream of another device wait."""

IN_FLIGHT = Actor("launched packet", lane="handle")
"""A packet that its queue's packet processor has launched, known by its completion signal."""

protocol = Protocol(
    "store-visibility",
    state=State,
    sizes=[
        Size("cores", Core, default=2, low=1, high=3, symmetric=True, help="cores with a thread that arms and submits"),
        Size("handles", Handle, default=2, low=1, high=4, help="signals"),
        Size("queues", HwQueue, default=1, low=1, high=2, help="hardware queues of the device"),
        Size("slots", PacketSlot, default=2, low=2, high=4, help="slots of a ring"),
        Size("places", BusPlace, default=4, low=3, high=8, help="stores that the bus and the HDP hold"),
    ],
    features=[
        Feature("hdp", "what has left a core may stay on the bus or in the HDP before it is in memory"),
        Feature("barriers", "barrier-AND packets that wait for another use on the same device"),
        Feature("system-ring", "the device's rings are in system memory instead of its own", default=False),
        Feature("copy", "copies that ROCr makes on an SDMA engine, with its ring in system memory"),
        Feature("peer", "a queue of another device waits for a signal of this one", default=False),
        Feature("callback", "callbacks that hold up a completion until they have run", default=False),
        Feature("tool", "a profiler is attached, and holds up completions", default=False),
    ],
    variants=[
        Variant(
            "flush-elided",
            "the HDP flush is left out although rings are in system memory",
            breaks="armed-before-decremented",
            source="description of CLR part 1 (graph pool signals): the rule on flushes",
            sizes=(("cores", 1), ("handles", 1)),
            features=("hdp", "system-ring"),
        ),
        Variant(
            "fence-elided",
            "stores that arm signals are not fenced before the signals are handed out",
            breaks="peer-wait-not-early",
            source="description of CLR part 2 (#13507), revisions 1 to 7",
            sizes=(("cores", 2), ("handles", 1)),
            features=("callback", "peer"),
        ),
        Variant(
            "copy-unflushed",
            "a signal goes to a ROCr copy without a flush when its use begins",
            breaks="armed-before-decremented",
            source="description of CLR part 2 (#13507): the rule on ROCr copies",
            sizes=(("cores", 1), ("handles", 2)),
            features=("hdp", "copy"),
        ),
        Variant(
            "tool-on-device-signals",
            "signals stay in device memory while a profiler is attached",
            breaks="no-hang",
            source="description of CLR part 1 (graph pool signals): the rule on attached tools",
            sizes=(("cores", 1), ("handles", 1)),
            features=("hdp", "tool"),
        ),
        Variant(
            "read-index-is-proof",
            "a use is taken for complete once the read index has passed its packet",
            breaks="complete-implies-not-owed",
            source="description of CLR part 2 (#13507), revisions 1 to 4",
            sizes=(("cores", 1), ("handles", 1)),
            features=("hdp",),
        ),
        Variant(
            "skipped-doorbell-unfenced",
            "a producer that leaves the doorbell to the next one does not fence its packet",
            breaks="no-hang",
            source="CLR #10377",
            sizes=(("cores", 2), ("handles", 2)),
            features=("hdp",),
        ),
        Variant(
            "header-unfenced",
            "no store fence between the body of a packet and its header",
            breaks="launched-packet-is-whole",
            sizes=(("cores", 1), ("handles", 1)),
            features=("hdp",),
        ),
        Variant(
            "ring-overrun",
            "a packet is written without a look at the read index",
            breaks="slot-not-overwritten",
            source="A4 A-I5",
            sizes=(("cores", 1), ("handles", 2)),
            features=("hdp",),
        ),
        Variant(
            "flush-for-peers",
            "repaired: FlushStores flushes the HDP where another device may wait, wherever the rings are",
            features=("hdp", "barriers", "copy", "peer"),
        ),
        Variant(
            "flush-after-add",
            "repaired: the HDP is flushed after 1 is added for a callback, where rings are in system memory",
            source="B2 step 5, A3",
            sizes=(("cores", 1),),
            features=("hdp", "barriers", "system-ring", "callback"),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="The way of stores to device memory, as CLR's part 2 relies on it.",
)
