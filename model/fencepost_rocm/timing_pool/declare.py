"""The protocol's name, sizes, optional parts and variants."""

from __future__ import annotations

from fencepost import Feature, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.retiring import protocol as retiring
from fencepost_rocm.retiring.declare import HOST, OTHER
from fencepost_rocm.retiring.state import RingSlot
from fencepost_rocm.timing_pool.state import Stamp, State

__all__ = ["HOST", "OTHER", "protocol"]

ONE_QUEUE = (("queues", 1), ("ring", 2), ("cap", 2))
TWO_SIGNALS = (*ONE_QUEUE, ("handles", 2))

protocol = retiring.compose(
    "timing-pool",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=1, low=1, high=3, help="hardware queues the VirtualGPU may be given"),
        Size("cap", RingSlot, default=2, low=2, high=6, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=4, low=1, high=8, help="signals there can be"),
        Size("timestamps", Stamp, default=1, low=1, high=3, help="Timestamps of commands at a time"),
    ],
    features=[
        Feature("pins", "GPU waits after a queue change, and the pins that protect them", default=False),
        Feature("events", "an event that holds a signal, and a thread that waits for it without a lock"),
        Feature("handler", "the async handler that takes the times of a batch"),
        Feature("timing", "Timestamps that list the signals of timed dispatches"),
        Feature("host-pool", "a dispatch that is only timed gets a signal in host memory (PlaceForUse)"),
        Feature("interrupts", "a use with a handler gets a signal with an interrupt"),
        Feature("device-failures", "a batch in device memory may fail and fall back to host memory", default=False),
        Feature("callbacks", "markers with a blocking callback, whose signals are armed one higher", default=False),
        Feature("any-order", "timed dispatches without the barrier bit", default=False),
        Feature("legacy-tracker", "slots are proven free by waiting: CpuWait and WaitNext", default=False),
    ],
    variants=[
        Variant(
            "rearm-before-timing",
            "a use's times are taken when its signal is handed out again, after it was armed",
            breaks="no-hang",
            source="description of CLR part 2 (#13507), revision 1",
            sizes=TWO_SIGNALS,
            features=("handler", "timing"),
        ),
        Variant(
            "read-index-is-proof",
            "a read index past a fence is taken for proof, and times are read without a look at the value",
            breaks="times-are-of-their-own-operation",
            source="description of CLR part 2 (#13507), revisions 1 to 4",
            sizes=TWO_SIGNALS,
            features=("timing",),
        ),
        Variant(
            "fallback-swapped",
            "a slot's host signal is swapped for the replacement even if that is in host memory, too",
            breaks="one-failed-batch-is-kept",
            source="description of CLR part 2 (#13507), revision 3",
            sizes=(*ONE_QUEUE, ("handles", 6)),
            features=("device-failures", "host-pool", "timing"),
        ),
        Variant(
            "stale-entry",
            "the host thread takes a use's times and leaves its entry on the list",
            breaks="times-are-of-their-own-operation",
            source="a comment in CLR's source",
            sizes=TWO_SIGNALS,
            features=("handler", "timing"),
        ),
        Variant(
            "wait-next-takes-all-times",
            "WaitNext processes the next slot's Timestamp, which waits for nothing while a callback is set",
            breaks="times-are-of-their-own-operation",
            source="CLR of October 2024",
            sizes=TWO_SIGNALS,
            features=("callbacks", "handler", "legacy-tracker", "timing"),
        ),
        Variant(
            "wait-next-takes-its-times",
            "WaitNext waits for the next slot's value, and then takes that signal's times; harmless",
            sizes=TWO_SIGNALS,
            features=("handler", "legacy-tracker", "timing"),
        ),
        Variant(
            "handler-registered-early",
            "the handler is registered with a batch's first use, while others are still listed",
            breaks="listed-while-nobody-reads",
            sizes=TWO_SIGNALS,
            features=("handler", "timing"),
        ),
        Variant(
            "signal-lock-first",
            "the host thread takes a signal's lock before its Timestamp's",
            breaks="no-hang",
            sizes=TWO_SIGNALS,
            features=("handler", "timing"),
        ),
        Variant(
            "callback-waited-for",
            "the handler waits for a blocking callback's own signal to come below 1, too",
            breaks="no-hang",
            sizes=TWO_SIGNALS,
            features=("callbacks", "handler", "timing"),
        ),
        Variant(
            "cached-times-kept",
            "the cached times of a signal are not reset when its next use begins",
            breaks="times-are-of-their-own-operation",
            sizes=TWO_SIGNALS,
            features=("handler", "timing"),
        ),
        Variant(
            "not-swapped-back",
            "a use that may be waited for keeps the host signal that its slot has",
            breaks="signal-where-the-use-wants-it",
            sizes=(*ONE_QUEUE, ("handles", 3)),
            features=("timing", "host-pool"),
        ),
        Variant(
            "left-in-its-pool",
            "a signal that is swapped in is not taken off its pool, which hands it out once more",
            breaks="signal-in-one-place",
            sizes=(*ONE_QUEUE, ("handles", 3)),
            features=("timing", "host-pool"),
        ),
        Variant(
            "timing-only-not-shared",
            "a host signal is taken for unshared, since it is for timing alone",
            breaks="timing-only-signal-means-its-own-use",
            sizes=(*ONE_QUEUE, ("handles", 3)),
            features=("events", "host-pool", "timing"),
        ),
        Variant(
            "repaired",
            "while a blocking callback is set the times are read without a look at the value",
            sizes=TWO_SIGNALS,
            features=("callbacks", "handler", "timing"),
        ),
    ],
    default="merged",
    doc="Timing-only host signals, Timestamps and their locks, on the retiring tracker of CLR's part 2, as merged.",
)
