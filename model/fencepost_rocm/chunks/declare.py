"""The protocol object: sizes, features and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.chunks.state import CopySlot, State, Unit
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, Thread
from fencepost_rocm.hardware.visibility import BusPlace, Core
from fencepost_rocm.sources import CLR

OTHER = Actor("other")
"""A thread that makes a call on the stream and then sets a flag."""

PART_2 = "description of CLR part 2 (#13507)"

protocol = Protocol(
    "chunks",
    state=State,
    sizes=[
        Size("chunks", Handle, default=2, low=2, high=4, help="chunks of the pool, each with a signal (4, or 16)"),
        Size("units", Unit, default=2, low=1, high=3, help="pieces that a chunk has room for"),
        Size(
            "threads",
            Thread,
            default=2,
            low=1,
            high=3,
            symmetric=True,
            help="threads that launch, copy and synchronize",
        ),
        Size("copies", CopySlot, default=2, low=1, high=3, help="copies there can be under way"),
        Size("queues", HwQueue, default=1, low=1, high=1, help="the stream's hardware queue"),
        Size("slots", PacketSlot, default=4, low=1, high=8, help="packets in the window of the queue"),
        Size("cores", Core, default=1, low=1, high=1, help="the core of the thread that holds execution()"),
        Size("places", BusPlace, default=3, low=2, high=6, help="stores that the bus and the HDP hold"),
    ],
    features=[
        Feature("hdp", "what has left a core may stay on the bus or in the HDP before it is in memory"),
        Feature("staging", "the pool may be that of staged copies, which an SDMA engine reads"),
        Feature("twice", "a kernel may take room twice: for what it points to, and for its arguments"),
        Feature("system-ring", "the device's rings are in system memory instead of its own", default=False),
        Feature("host-signals", "the chunks' signals are in host memory (DEBUG_CLR_DEV_SIGNALS=0)", default=False),
        Feature("host-kernel", "a kernel that spins on a flag which another thread sets after a call", default=False),
        Feature(
            "early-arguments",
            "kernel arguments are written in a critical section of their own, before the launch "
            "(ROC_SKIP_KERNEL_ARG_COPY)",
            default=False,
        ),
        Feature("failed-launch", "a launch may fail when it has taken room; events are recorded", default=False),
    ],
    variants=[
        Variant(
            "reset-though-newer",
            "the pool is set back to its beginning whether or not something was submitted after the marker",
            breaks="room-of-nobody-else",
            source="#13532: newer submissions may still use the kernel arguments",
            features=(),
        ),
        Variant(
            "rearm-unflushed",
            "a chunk's signal is armed without an HDP flush although rings are in system memory",
            breaks="armed-before-decremented",
            source=f"{PART_2}: the rule on chunk signals",
            sizes=(("units", 1), ("threads", 1)),
            features=("hdp", "system-ring"),
        ),
        Variant(
            "rearm-through-rocr",
            "a chunk's signal in device memory is armed through ROCr, whose store reads it back",
            breaks="one-load-to-move-on",
            source=f"{PART_2}: a store through ROCr reads it back across PCIe",
            sizes=(("units", 1), ("threads", 1)),
            features=("hdp",),
        ),
        Variant(
            "checked-before-waiting",
            "the next chunk's signal is loaded to see whether there is anything to wait for, and then waited for",
            breaks="one-load-to-move-on",
            source=f"{PART_2}: WaitForSignal skips its check, since revision 8 for device memory alone",
            sizes=(("units", 1), ("threads", 1)),
            features=("hdp",),
        ),
        Variant(
            "flushed-always",
            "the HDP is flushed wherever rings are",
            breaks="flushes-for-system-rings-only",
            source=f"{PART_2}: the rule on chunk signals",
            sizes=(("units", 1), ("threads", 1)),
            features=("hdp",),
        ),
        Variant(
            "copies-not-awaited",
            "a chunk's barrier packet does not wait for copies (skipSignal)",
            breaks="room-of-nobody-else",
            source="public source of CLR, October 2024: the pool of kernel arguments, which no copy reads",
            sizes=(("units", 1), ("threads", 1)),
            features=("staging",),
        ),
        Variant(
            "next-chunk-not-awaited",
            "the pool moves on without a wait for the next chunk's signal",
            breaks="armed-when-nothing-is-owed",
            sizes=(("units", 1), ("threads", 1), ("slots", 6)),
            features=(),
        ),
        Variant(
            "barrier-bit-clear",
            "a chunk's barrier packet does not have the barrier bit",
            breaks="room-of-nobody-else",
            sizes=(("units", 1), ("threads", 1)),
            features=(),
        ),
        Variant(
            "doorbell-left",
            "the doorbell of a chunk's barrier packet is left to the next packet of the queue",
            breaks="no-hang",
            sizes=(("units", 1), ("threads", 1)),
            features=("staging",),
        ),
        Variant(
            "repaired-reset-only",
            "the pool is not set back while there are arguments that no launch has taken yet",
            breaks="room-of-nobody-else",
            source="docs/findings.md#cpu-wait-resets-under-unlaunched-arguments",
            sizes=(("units", 1),),
            features=("early-arguments",),
        ),
        Variant(
            "repaired",
            "the next chunk is waited for without execution(); a kernel takes all its room at once; a chunk with "
            "arguments that no launch has taken yet is closed by their launch; a chunk's barrier is a pending dispatch",
            source="docs/findings.md",
            sizes=(("copies", 1),),
            features=("staging", "twice", "host-kernel", "early-arguments", "failed-launch"),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="ManagedBuffer: memory for kernel arguments and staged copies in a ring of chunks, as part 2 has it.",
)


@protocol.start
def create(s: State) -> None:
    """ManagedBuffer::Create: the chunks' signals, at 0."""
    for position in range(Handle.count()):
        s.gpu.pool.signals[Handle.at(position)].alive = True
        s.gpu.pool.free[Handle.at(position)] = None
