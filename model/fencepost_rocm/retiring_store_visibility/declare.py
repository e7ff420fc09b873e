"""The protocol's name, sizes, optional parts and variants: those of `retiring`, and those of the store path."""

from __future__ import annotations

from fencepost import Feature, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.hardware.visibility import BusPlace, Core
from fencepost_rocm.retiring import protocol as retiring
from fencepost_rocm.retiring.state import RingSlot
from fencepost_rocm.retiring_store_visibility.state import State

SMALL = (("queues", 1), ("ring", 2), ("cap", 2), ("handles", 2))

protocol = retiring.compose(
    "retiring-store-visibility",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=1, low=1, high=3, help="hardware queues the VirtualGPU may be given"),
        Size("cap", RingSlot, default=2, low=1, high=6, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=2, low=1, high=8, help="signals there can be"),
        Size("cores", Core, default=2, low=1, high=3, symmetric=True, help="cores on which the VirtualGPU's calls run"),
        Size("places", BusPlace, default=4, low=3, high=8, help="stores that the bus and the HDP hold"),
    ],
    features=[
        Feature("pins", "GPU waits after a queue change, and the pins that protect them", default=False),
        Feature("events", "an event that holds a signal, and a thread that waits for it without a lock", default=False),
        Feature("handler", "an async handler that holds a signal until it has processed it", default=False),
        Feature("timing", "a Timestamp that lists the signals of timed dispatches", default=False),
        Feature("hdp", "what has left a core may stay on the bus or in the HDP before it is in memory"),
        Feature("copy", "copies that ROCr makes, whose uses no fence of a queue covers"),
        Feature("system-ring", "the device's rings are in system memory instead of its own", default=False),
        Feature("peer", "a queue of another device waits for the event's signal", default=False),
    ],
    variants=[
        Variant(
            "flush-after-hand-out",
            "the HDP flush of a batch of stores comes after signals of it are handed out",
            breaks="armed-before-decremented",
            source="description of CLR part 2 (#13507): the rule on store ordering",
            sizes=(*SMALL, ("cores", 1)),
            features=("hdp", "system-ring"),
        ),
        Variant(
            "flush-before-fence",
            "the HDP is flushed before the stores of a batch are fenced, so that those are behind the flush",
            breaks="packet-wait-not-early",
            source="description of CLR part 2 (#13507): the rule on store ordering",
            sizes=(("queues", 2), ("slots", 1), ("ring", 2), ("cap", 2), ("handles", 2), ("cores", 1)),
            features=("hdp", "pins", "system-ring"),
        ),
        Variant(
            "copy-unflushed",
            "a signal goes to a ROCr copy without a flush when its use begins",
            breaks="armed-before-decremented",
            source="description of CLR part 2 (#13507): the rule on ROCr copies",
            sizes=(*SMALL, ("cores", 1)),
            features=("hdp", "copy"),
        ),
        Variant(
            "fence-elided",
            "stores that arm signals are not fenced before the signals are handed out",
            breaks="peer-wait-not-early",
            source="description of CLR part 2 (#13507), revisions 1 to 7",
            sizes=(("queues", 1), ("ring", 2), ("cap", 2), ("handles", 3), ("cores", 1)),
            features=("copy", "events", "peer"),
        ),
        Variant(
            "fence-covers-copies",
            "a fence of the queue retires a copy that was submitted before it, as if the copy were in the queue",
            breaks="no-rearm-under-a-copy",
            source="description of CLR part 2 (#13507): the rule on fences",
            sizes=(*SMALL, ("cores", 1)),
            features=("copy",),
        ),
        Variant(
            "flush-for-peers",
            "repaired: FlushStores flushes the HDP where another device may wait, wherever the rings are",
            sizes=(("handles", 3),),
            features=("hdp", "events", "peer"),
        ),
    ],
    default="merged",
    doc="The retiring signal tracker with its signals in device memory, as merged.",
)
