"""The protocol's name, sizes, optional parts and variants: those of `retiring`, and those of the CPU wait."""

from __future__ import annotations

from fencepost import Actor, Feature, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.retiring import protocol as retiring
from fencepost_rocm.retiring.state import RingSlot
from fencepost_rocm.retiring_cpu_wait.state import State

WAITER = Actor("app 3")
"""The thread that synchronizes, while it is not inside a call."""

SECOND = Actor("app 4")
"""A thread that synchronizes with another one's marker."""

DEVICE = Actor("device")
"""The device and its driver, which may report an error."""

SMALL = (("queues", 1), ("ring", 2), ("cap", 2), ("handles", 2))

protocol = retiring.compose(
    "retiring-cpu-wait",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=1, low=1, high=3, help="hardware queues the VirtualGPU may be given"),
        Size("cap", RingSlot, default=2, low=1, high=6, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=3, low=1, high=8, help="signals there can be"),
    ],
    features=[
        Feature("pins", "GPU waits after a queue change, and the pins that protect them", default=False),
        Feature("events", "an event that holds a signal, and a thread that waits for it without a lock", default=False),
        Feature("handler", "an async handler that holds a signal until it has processed it", default=False),
        Feature("timing", "a Timestamp that lists the signals of timed dispatches", default=False),
        Feature("second", "another thread synchronizes with the marker"),
        Feature("errors", "the device may report an error, after which a CPU wait gives up", default=False),
    ],
    variants=[
        Variant(
            "signal-not-held",
            "the marker has its signal but no reference to it",
            breaks="held-signal-not-rearmed",
            source="#13532: retains the signal for the marker's lifetime",
            sizes=SMALL,
            features=(),
        ),
        Variant(
            "shared-signal-rearmed",
            "a retired signal that a marker or an event still holds is armed anew instead of parked",
            breaks="marker-wait-sees-its-own-use",
            source="description of CLR part 2 (#13507): the rule on shared signals",
            sizes=SMALL,
            features=(),
        ),
        Variant(
            "wait-holding-execution",
            "the GPU is waited for under execution()",
            breaks="no-wait-holding-execution",
            source="#13532, before the fix",
            sizes=SMALL,
            features=(),
        ),
        Variant(
            "reset-though-newer",
            "the queue states are reset whether or not something was submitted after the marker",
            breaks="reset-only-when-drained",
            source="#13532: newer submissions may still use the kernel arguments",
            sizes=SMALL,
            features=(),
        ),
        Variant(
            "error-ignored",
            "a wait that gave up is taken for one that saw the signal, and for the tracker's proof",
            breaks="retired-implies-complete",
            source="#13532, second review round",
            sizes=SMALL,
            features=("errors",),
        ),
        Variant(
            "proof-of-the-newest",
            "what the wait without the lock saw complete is taken for the newest use, as it is under the lock",
            breaks="retired-implies-complete",
            sizes=SMALL,
            features=(),
        ),
    ],
    default="merged",
    doc="The retiring signal tracker under a CPU wait without the lock, as merged.",
)
