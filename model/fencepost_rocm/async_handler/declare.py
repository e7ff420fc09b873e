"""The protocol object: sizes, features and variants."""

from __future__ import annotations

from fencepost import Actor, DefinedIn, Described, Feature, Protocol, Size, Variant
from fencepost_rocm.async_handler.state import Life, Registration, State
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.sources import CLR, PART_2

HOST = Actor("app", lane="queue")
"""The threads of the application that use one stream; one at a time is in a call."""

_SMALLEST = (("handles", 2),)

_ROCR = (
    DefinedIn("core/runtime/runtime.cpp", ("Runtime",)),
    DefinedIn("core/runtime/amd_aql_queue.cpp", ("AqlQueue",)),
    DefinedIn("core/runtime/signal.cpp", ("Signal",)),
)

protocol = Protocol(
    "async-handler",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=1, low=1, high=2, help="streams, each with a hardware queue"),
        Size("slots", PacketSlot, default=2, low=1, high=4, help="packets in the window of a queue"),
        Size("ring", RingSlot, default=2, low=1, high=3, help="signals in a tracker's ring (64)", at_most=("handles",)),
        Size("handles", Handle, default=3, low=2, high=6, help="signals there can be"),
        Size("registrations", Registration, default=2, low=1, high=3, help="handlers that are registered at a time"),
    ],
    features=[
        Feature("callbacks", "hipStreamAddCallback: a handler that lets its queue go on"),
        Feature("timing", "a command of several timed dispatches, whose Timestamp lists their signals", default=False),
        Feature("teardown", "streams are given up and created, at any time"),
        Feature("forced-teardown", "a stream may also be given up without a wait for its last command", default=False),
        Feature(
            "pooled-queue",
            "the hardware queue comes from the device's pool and goes back when it is idle; else it is the stream's "
            "own (CU mask), and is destroyed with it",
            default=False,
        ),
        Feature("device-batch", "the signals are of one batch, whose arena is unmapped with the last", default=False),
        Feature("failures", "hsa_amd_signal_async_handler may fail", default=False),
    ],
    variants=[
        Variant(
            "signal-not-held",
            "the handler has no reference to its signal",
            breaks="signal-kept-for-its-handler",
            source="description of CLR part 2 (#13507): the async handler holds a reference",
            sizes=_SMALLEST,
            features=("callbacks",),
        ),
        Variant(
            "callback-held-by-nobody",
            "neither the handler nor the marker that waits for a callback holds the callback's signal",
            breaks="callback-lets-its-own-queue-go",
            sizes=_SMALLEST,
            features=("callbacks",),
        ),
        Variant(
            "dropped-outside-the-scope",
            "the handler is no longer known as one when it drops the VirtualGPU",
            breaks="handler-destroys-nothing",
            source="#7490, before the fix; #13507: inside the async-handler scope",
            sizes=_SMALLEST,
            features=("teardown",),
        ),
        Variant(
            "gpu-dropped-first",
            "the handler drops the VirtualGPU before the signal",
            breaks="handler-destroys-nothing",
            source="#13507: drops it before the VirtualGPU reference",
            sizes=_SMALLEST,
            features=("teardown", "pooled-queue"),
        ),
        Variant(
            "release-waits-for-execution",
            "the handler takes execution() to give the hardware queue back, instead of trying to",
            breaks="handler-waits-for-no-execution",
            source="VirtualGPU::ReleaseHwQueue before tryLock",
            sizes=_SMALLEST,
            features=("callbacks", "pooled-queue"),
        ),
        Variant(
            "references-not-rolled-back",
            "what was taken for a handler stays taken when its registration fails",
            breaks="handler-count-is-exact",
            source="VirtualGPU::HwQueueTracker::ActiveSignal: the failure path",
            sizes=_SMALLEST,
            features=("failures", "teardown"),
        ),
        Variant(
            "dropped-not-parked",
            "a signal that somebody else holds is dropped by the tracker, so that a handler may be the last to hold it",
            breaks="handler-destroys-nothing",
            source="LegacySignalTracker does so",
            sizes=(("handles", 3),),
            features=(),
        ),
        Variant(
            "only-queue-deferred",
            "of a VirtualGPU that dies on the handler thread only the queue is left to another thread",
            breaks="handler-destroys-nothing",
            source="#7490, as merged before part 2",
            sizes=_SMALLEST,
            features=("teardown",),
        ),
        Variant(
            "gpu-not-held",
            "the handler has no reference to the VirtualGPU",
            breaks="virtual-gpu-outlives-its-handlers",
            source="CLR of October 2024: QueuedAsyncHandlers without a reference",
            sizes=_SMALLEST,
            features=("teardown",),
        ),
        Variant(
            "subtracted-last",
            "the handler lets its queue go on after it has dropped the signal",
            breaks="signal-kept-for-its-handler",
            sizes=_SMALLEST,
            features=("callbacks",),
        ),
        Variant(
            "armed-before-timing",
            "a signal is armed anew while a Timestamp still lists it",
            breaks="no-hang",
            source="#13507, revision 1",
            sizes=(("slots", 3), ("ring", 3), ("handles", 3)),
            features=("timing",),
        ),
        Variant(
            "requeue-for-ever",
            "instead of waiting for a signal of the batch the handler registers itself anew; dispatches do not hold "
            "their signals, and one that is armed anew stays listed",
            breaks="blocked-queue-is-released",
            source="CLR of October 2024: HsaAmdSignalHandler",
            sizes=_SMALLEST,
            features=("callbacks", "timing"),
        ),
        Variant(
            "repaired",
            "a registration that fails leaves its batch to the next one and takes the callback's 1 back; an arena is "
            "unmapped by application threads",
            source="docs/findings.md",
            sizes=_SMALLEST,
            features=("callbacks", "teardown", "pooled-queue", "device-batch", "failures"),
        ),
    ],
    default="merged",
    sources=(*CLR, Described(PART_2.by, ("ProfilingSignal::release",)), *_ROCR),
    doc="The async handler: what it holds while it is pending, and what it drops, as merged with part 2.",
)


@protocol.start
def create(s: State) -> None:
    """One stream is there, with a ring of signals that are armed for their first use."""
    for position in range(Handle.count()):
        in_ring = position < RingSlot.count()
        s.gpu.pool.signals[Handle.at(position)].alive = in_ring
        s.gpu.pool.signals[Handle.at(position)].value = 1 if in_ring else 0
        free = Handle.count() - 1 - position
        s.gpu.pool.free[Handle.at(position)] = Handle.at(free) if free >= RingSlot.count() else None
    stream = s.streams[HwQueue.at(0)]
    stream.life = Life.LIVE
    stream.references = 1
    stream.armed = [Handle.at(position) for position in range(RingSlot.count())]
    for position in range(RingSlot.count()):
        stream.ring.slots[RingSlot.at(position)] = Handle.at(position)
