"""The protocol's name, sizes, optional parts and variants: those of `retiring`, and those of the batches."""

from __future__ import annotations

from fencepost import Feature, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.retiring import protocol as retiring
from fencepost_rocm.retiring.state import RingSlot
from fencepost_rocm.retiring_submission_batch.state import State
from fencepost_rocm.submission_batch.host_queue import BatchLimit, BatchSlot

protocol = retiring.compose(
    "retiring-submission-batch",
    state=State,
    sizes=[
        Size("limit", BatchLimit, default=1, low=1, high=4, help="commands of a batch that is not flushed yet (64)"),
        Size("batches", BatchSlot, default=1, low=1, high=1, help="batches that can be open (no limit in the code)"),
        Size("queues", HwQueue, default=1, low=1, high=3, help="hardware queues the VirtualGPU may be given"),
        Size("cap", RingSlot, default=2, low=1, high=6, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=10, low=1, high=14, help="signals there can be"),
    ],
    features=[
        Feature("pins", "GPU waits after a queue change, and the pins that protect them", default=False),
        Feature("events", "an event that holds a signal, and a thread that waits for it without a lock", default=False),
        Feature("handler", "the async handler, which completes the batch of a marker"),
        Feature("timing", "a Timestamp that lists the signals of timed dispatches", default=False),
    ],
    variants=[
        Variant(
            "limit-raised",
            "a batch is flushed much later than the pool of signals is long: the tracker parks all that it holds",
            breaks="live-signals-bounded",
            source="description of CLR part 2 (#13507), revision 3: 1000 commands, 64 signals",
            sizes=(("slots", 1),),
        ),
        Variant(
            "batch-before-parked",
            "the tracker makes new signals before it looks at what is parked",
            breaks="parked-signals-come-back",
            source="description of CLR part 2 (#13507): the rule on parked signals",
            sizes=(("slots", 1), ("handles", 6)),
        ),
        Variant(
            "parked-left-behind",
            "a walk looks at what is parked only when it lacks a spare",
            breaks="free-parked-signal-is-reclaimed",
            source="description of CLR part 2 (#13507): reused once the tracker holds the last reference",
            sizes=(("slots", 1), ("handles", 3)),
        ),
        Variant(
            "command-holds-no-signal",
            "a command of a batch has its signal without a reference, so the tracker arms it under the handler",
            breaks="held-signal-not-rearmed",
            source="description of CLR part 2 (#13507): commands keep their signals referenced",
            sizes=(("slots", 1), ("handles", 6)),
        ),
        Variant(
            "marker-without-handler",
            "the marker that takes a batch registers no handler, so nobody completes the batch",
            breaks="open-batch-goes-on",
            source="CLR: HostQueue::FlushSubmissionBatch asks for a marker with a handler",
            sizes=(("slots", 1), ("handles", 6)),
        ),
        Variant(
            "pins-never-released",
            "a pin stays when its consumer has passed, and on a drained queue, so what is parked for it stays parked",
            breaks="drained-queue-has-no-pins",
            source="description of CLR part 2 (#13507): the rule on GPU waits",
            sizes=(("queues", 2), ("slots", 1), ("handles", 6)),
            features=("pins",),
        ),
    ],
    default="merged",
    doc="The retiring signal tracker under the submission batches of its stream, as merged.",
)
