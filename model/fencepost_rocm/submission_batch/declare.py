"""The protocol object: sizes, features and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.ring import InitialSlot, RingSlot
from fencepost_rocm.sources import CLR
from fencepost_rocm.submission_batch.host_queue import BatchLimit, BatchSlot
from fencepost_rocm.submission_batch.state import Event, State

HOST = Actor("app")
"""The thread that submits, holding execution() while it is inside enqueue."""

OTHER = Actor("app 2")
"""A thread that waits for events, and may set a flag after that."""

protocol = Protocol(
    "submission-batch",
    state=State,
    sizes=[
        Size("limit", BatchLimit, default=1, low=1, high=4, help="commands of a batch that is not flushed yet (64)"),
        Size("batches", BatchSlot, default=1, low=1, high=3, help="batches that can be open (no limit in the code)"),
        Size("events", Event, default=1, low=1, high=2, help="events of the application"),
        Size("queues", HwQueue, default=1, low=1, high=1, help="the stream's hardware queue"),
        Size("slots", PacketSlot, default=2, low=1, high=4, help="packets in the window of the queue"),
        Size(
            "ring",
            InitialSlot,
            default=2,
            low=2,
            high=4,
            help="slots the tracker's ring starts with (64)",
            at_most=("cap", "handles"),
        ),
        Size("cap", RingSlot, default=2, low=2, high=4, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=10, low=3, high=14, help="signals there can be"),
    ],
    features=[
        Feature("event-sync", "another thread that waits for events"),
        Feature(
            "stream-sync",
            "synchronizations with the stream, whose marker takes the batch whatever its length",
            default=False,
        ),
        Feature("retiring", "the retiring tracker; without it the legacy one"),
        Feature("interrupts", "a marker's handler needs a signal with an interrupt (legacy tracker)", default=False),
        Feature("host-fallback", "every batch of signals in device memory fails", default=False),
        Feature("pins", "GPU waits on the stream's last signal, which is pinned for them", default=False),
        Feature("host-kernel", "a kernel that spins on a flag, which another thread sets", default=False),
    ],
    variants=[
        Variant(
            "limit-raised",
            "a batch is flushed much later than the pool of signals is long",
            breaks="live-signals-bounded",
            source="description of CLR part 2 (#13507), revision 3: 1000 commands, 64 signals",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("retiring",),
        ),
        Variant(
            "flush-asks-the-command",
            "a batch that has become too long is flushed only if its last command has no signal",
            breaks="live-signals-bounded",
            source="CLR #4672: FlushSubmissionBatch through notifyCmdQueue",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("retiring",),
        ),
        Variant(
            "sync-completes-batch",
            "hipEventSynchronize completes the batch through the event's marker, under execution() and on the caller",
            breaks="no-hang",
            source="description of CLR part 2 (#13507), revisions 3 to 5",
            sizes=(("limit", 1), ("slots", 3), ("events", 2), ("handles", 6)),
            features=("event-sync", "host-kernel", "retiring"),
        ),
        Variant(
            "swap-despite-fallback",
            "a slot's host signal is swapped for the replacement, though that is in host memory too",
            breaks="live-signals-bounded",
            source="description of CLR part 2 (#13507), revision 3",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("host-fallback", "retiring"),
        ),
        Variant(
            "wrong-interrupt-type",
            "a shared signal is replaced by one without an interrupt, whatever it had",
            breaks="live-signals-bounded",
            source="CLR #4653",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("interrupts",),
        ),
        Variant(
            "pins-never-released",
            "what was pinned for a GPU waiter stays so",
            breaks="live-signals-bounded",
            source="description of CLR part 2 (#13507): the rule on GPU waits",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("pins", "retiring"),
        ),
        Variant(
            "batch-before-parked",
            "a batch of spares is made before a look at what is parked",
            breaks="parked-signals-come-back",
            source="description of CLR part 2 (#13507): the rule on parked signals",
            sizes=(("limit", 1), ("slots", 1), ("handles", 10)),
            features=("retiring",),
        ),
        Variant(
            "shared-signal-rearmed",
            "a signal that a command of a batch still holds is armed anew",
            breaks="held-signal-not-rearmed",
            source="description of CLR part 2 (#13507): the rule on shared signals",
            sizes=(("limit", 1), ("slots", 1), ("handles", 4)),
            features=("retiring",),
        ),
        Variant(
            "marker-without-handler",
            "the marker that takes a long batch is one of those that the caller waits for; it does not wait",
            breaks="open-batch-completes",
            source="#13532: a marker with cpu_wait has no handler",
            sizes=(("limit", 1), ("slots", 1), ("handles", 8)),
            features=("retiring",),
        ),
        Variant(
            "repaired",
            "a marker waits for the handler of the batch before it",
            source="docs/findings.md#submission-batch-handler-behind",
            sizes=(("limit", 1), ("batches", 2), ("handles", 10)),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="The submission batch of a direct-dispatch queue, in a loop that records and waits for events, as merged.",
)


@protocol.start
def create(s: State) -> None:
    """HwQueueTracker::Create: the ring's first signals, idle."""
    for position in range(Handle.count()):
        in_ring = position < InitialSlot.count()
        s.gpu.pool.signals[Handle.at(position)].alive = in_ring
        free = Handle.count() - 1 - position
        s.gpu.pool.free[Handle.at(position)] = Handle.at(free) if free >= InitialSlot.count() else None
