"""The protocol object: sizes, features and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.cpu_wait.state import CommandSlot, State
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, Thread
from fencepost_rocm.hardware.ring import InitialSlot, RingSlot
from fencepost_rocm.sources import CLR

OTHER = Actor("other")
"""A thread that makes a call on the stream and then sets a flag."""

DEVICE = Actor("device")
"""The device and its driver, which may report an error."""

protocol = Protocol(
    "cpu-wait",
    state=State,
    sizes=[
        Size("threads", Thread, default=2, low=1, high=3, symmetric=True, help="threads that launch and synchronize"),
        Size("commands", CommandSlot, default=3, low=2, high=6, help="commands there can be at a time"),
        Size("queues", HwQueue, default=1, low=1, high=1, help="the stream's hardware queue"),
        Size("slots", PacketSlot, default=2, low=1, high=5, help="packets in the window of the queue"),
        Size(
            "ring",
            InitialSlot,
            default=2,
            low=2,
            high=4,
            help="signals the tracker's ring starts with (64)",
            at_most=("room", "handles"),
        ),
        Size("room", RingSlot, default=2, low=2, high=5, help="signals the ring may grow to"),
        Size("handles", Handle, default=3, low=2, high=6, symmetric=True, help="signals there can be"),
    ],
    features=[
        Feature("host-kernel", "a kernel that spins on a flag which another thread sets after a call"),
        Feature("errors", "the device may report an error, after which it goes on or stops"),
        Feature(
            "early-arguments",
            "kernel arguments are written in a critical section of their own, before the launch "
            "(ROC_SKIP_KERNEL_ARG_COPY)",
            default=False,
        ),
        Feature(
            "null-stream",
            "the call before the flag is set is a launch on the null stream, which waits for this stream's last "
            "command",
            default=False,
        ),
    ],
    variants=[
        Variant(
            "wait-holding-execution",
            "the GPU is waited for, and the batch completed, under execution()",
            breaks="no-hang",
            source="#13532, before the fix",
            sizes=(("handles", 2),),
            features=("host-kernel",),
        ),
        Variant(
            "second-wait",
            "after the wait without the lock the signal is waited for once more under execution(); that wait gives up "
            "after an error, too, so nobody hangs",
            breaks="no-wait-holding-execution",
            source="#13532, first review round",
            sizes=(("handles", 2),),
            features=("errors",),
        ),
        Variant(
            "reset-though-newer",
            "the queue states are reset whether or not something was submitted after the marker",
            breaks="reset-only-when-drained",
            source="#13532: newer submissions may still use the kernel arguments",
            sizes=(("handles", 2),),
            features=(),
        ),
        Variant(
            "newer-looked-at-early",
            "whether something newer was submitted is looked at before execution() is taken for the reset",
            breaks="reset-only-when-drained",
            sizes=(("handles", 2),),
            features=(),
        ),
        Variant(
            "signal-reloaded",
            "the marker's signal is loaded once more to tell whether the wait gave up; harmless",
            source="#13532, as merged before part 2",
            sizes=(("handles", 2),),
            features=("errors",),
        ),
        Variant(
            "error-ignored",
            "a wait that returned early is taken for one that saw the signal",
            breaks="times-only-of-complete-signals",
            source="#13532, second review round",
            sizes=(("handles", 2),),
            features=("errors",),
        ),
        Variant(
            "error-leaves-batch",
            "after an early return the batch is left as it is",
            breaks="no-hang",
            source="#13532: complete the batch as before",
            sizes=(("handles", 2),),
            features=("errors",),
        ),
        Variant(
            "signal-not-held",
            "the marker has the last signal but no reference to it",
            breaks="held-signal-not-rearmed",
            source="#13532: retains the signal",
            sizes=(("handles", 2),),
            features=(),
        ),
        Variant(
            "batch-not-private",
            "the batch is taken off the queue only when it is completed, without the lock",
            breaks="completed-once",
            source="#13532: private to the marker",
            sizes=(("handles", 2),),
            features=(),
        ),
        Variant(
            "skips-another-threads-marker",
            "a marker that asks for a CPU wait is taken for complete by whoever synchronizes",
            breaks="synchronized-means-complete",
            source="#13507: a marker that enqueue already completed",
            sizes=(("handles", 2),),
            features=(),
        ),
        Variant(
            "repaired",
            "notify_lock_ is let go before the GPU is waited for, and arguments that no launch has taken yet keep the "
            "queue states from a reset",
            source="docs/findings.md",
            sizes=(("handles", 2),),
            features=("host-kernel", "null-stream"),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="The CPU wait of a small batch: CompleteCpuWait, as merged, with what part 2 changed of it.",
)


@protocol.start
def create(s: State) -> None:
    """HwQueueTracker::Create: the ring's first signals, idle."""
    for position in range(Handle.count()):
        s.gpu.pool.signals[Handle.at(position)].alive = position < InitialSlot.count()
        free = Handle.count() - 1 - position
        s.gpu.pool.free[Handle.at(position)] = Handle.at(free) if free >= InitialSlot.count() else None
