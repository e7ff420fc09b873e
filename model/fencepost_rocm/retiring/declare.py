"""The protocol object: sizes, features and variants of the retiring tracker."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.retiring.state import InitialSlot, RingSlot, State
from fencepost_rocm.sources import CLR

HOST = Actor("app")
"""The thread that submits, holding execution() while it is inside a call."""

OTHER = Actor("app 2")
"""A thread that holds an event and never takes execution()."""

ONE_QUEUE = (("queues", 1), ("ring", 2), ("cap", 2), ("handles", 2))
"""A ring of two that never grows, and no signal besides."""

TWO_QUEUES = (("queues", 2), ("ring", 2), ("cap", 2), ("handles", 2))
"""The same, and another hardware queue to change to."""

A_SPARE_SIGNAL = (("queues", 1), ("ring", 2), ("cap", 2), ("handles", 3))
"""One queue, and a signal besides to take the place of one that somebody holds."""

RING_OF_THREE = (("cap", 3), ("ring", 3), ("handles", 3))
"""A ring of three that never grows, and no signal besides."""

protocol = Protocol(
    "retiring",
    state=State,
    sizes=[
        Size(
            "queues",
            HwQueue,
            default=2,
            low=1,
            high=3,
            symmetric=True,
            help="hardware queues the VirtualGPU may be given",
        ),
        Size("slots", PacketSlot, default=2, low=1, high=6, help="packets in the window of a queue"),
        Size(
            "ring",
            InitialSlot,
            default=2,
            low=1,
            high=4,
            help="slots the tracker's ring starts with (64)",
            at_most=("cap", "handles"),
        ),
        Size("cap", RingSlot, default=3, low=1, high=6, help="slots the ring may grow to (16 x 64)"),
        Size("handles", Handle, default=4, low=1, high=8, help="signals there can be"),
    ],
    features=[
        Feature("pins", "GPU waits after a queue change, and the pins that protect them"),
        Feature("events", "an event that holds a signal, and a thread that waits for it without a lock"),
        Feature("handler", "an async handler that holds a signal until it has processed it"),
        Feature("host-kernel", "a kernel that spins on a flag which another thread sets after a call", default=False),
        Feature("timing", "a Timestamp that lists the signals of timed dispatches"),
        Feature("room-beyond-cap", "one place of the ring lies beyond its cap, for growth to go wrong", default=False),
        Feature("costs", "what each operation costs: loads across PCIe, HDP flushes, waits", default=False),
        Feature("host-signals", "with costs: no batch could be made in device memory", default=False),
        Feature("system-ring", "with costs: the rings are in system memory, so stores are flushed", default=False),
    ],
    variants=[
        Variant(
            "read-index-is-proof",
            "a read index past a fence retires every use up to it, without a look at the fence's signal",
            breaks="no-rearm-before-completion",
            source="description of CLR part 2 (#13507), revisions 1 to 4",
            sizes=ONE_QUEUE,
            features=(),
        ),
        Variant(
            "rearm-before-timing",
            "a signal is armed anew while a Timestamp still lists it",
            breaks="no-timestamp-lists-an-armed-signal",
            source="description of CLR part 2 (#13507), revision 1",
            sizes=ONE_QUEUE,
            features=("handler", "timing"),
        ),
        Variant(
            "no-pin",
            "a signal that a GPU waiter will read is not pinned",
            breaks="no-rearm-under-a-gpu-waiter",
            source="description of CLR part 2 (#13507): the rule on GPU waits",
            sizes=TWO_QUEUES,
            features=("pins",),
        ),
        Variant(
            "unpin-early",
            "a pin goes when its consumer has passed, though earlier uses are not retired",
            source="description of CLR part 2 (#13507): the rule on GPU waits",
            sizes=RING_OF_THREE,
            features=("pins",),
        ),
        Variant(
            "unpin-on-read-index",
            "a pin goes once the read index has passed its consumer, complete or not",
            breaks="no-rearm-under-a-gpu-waiter",
            source='description of CLR part 2 (#13507): one reading of "until the consuming packets have passed"',
            sizes=RING_OF_THREE,
            features=("pins",),
        ),
        Variant(
            "drained-keeps-pins",
            "a drained queue does not release its pins",
            breaks="drained-queue-has-no-pins",
            source="description of CLR part 2 (#13507): the rule on drained queues",
            sizes=TWO_QUEUES,
            features=("pins",),
        ),
        Variant(
            "generation-ignored",
            "a fence proves uses of another hardware queue complete",
            breaks="retired-implies-complete",
            source="description of CLR part 2 (#13507): the rule on a change of the HW queue",
            sizes=(
                ("queues", 2),
                ("ring", 3),
                ("cap", 3),
                ("handles", 3),
            ),
            features=("pins",),
        ),
        Variant(
            "any-completion-is-proof",
            "the completion of a use without the barrier bit retires earlier uses",
            breaks="retired-implies-complete",
            source="description of CLR part 2 (#13507): the rule on fences",
            sizes=ONE_QUEUE,
            features=(),
        ),
        Variant(
            "shared-signal-rearmed",
            "a retired signal that an event still holds is armed anew instead of parked",
            breaks="no-rearm-of-a-shared-signal",
            source="description of CLR part 2 (#13507): the rule on shared signals",
            sizes=A_SPARE_SIGNAL,
            features=("events",),
        ),
        Variant(
            "handler-holds-no-reference",
            "a pending async handler does not count as a holder of its signal",
            breaks="no-rearm-under-a-handler",
            source="description of CLR part 2 (#13507): the rule on the async handler",
            sizes=A_SPARE_SIGNAL,
            features=("handler",),
        ),
        Variant(
            "grows-beyond-cap",
            "the ring grows whenever the next slot is busy, whatever its length",
            breaks="grows-only-to-the-cap",
            source="description of CLR part 2 (#13507): grows, up to 16 x ROC_SIGNAL_POOL_SIZE",
            sizes=(("queues", 1), ("ring", 1), ("cap", 3), ("handles", 3)),
            features=("room-beyond-cap",),
        ),
        Variant(
            "wait-without-lock",
            "repaired: execution() is not held while the tracker waits for the oldest use or for room in the ring",
            source="docs/findings.md#retiring-waits-holding-execution",
            sizes=ONE_QUEUE,
            features=("host-kernel",),
        ),
        Variant(
            "each-signal-read",
            "each signal is looked at before it is armed, though a fence has proved its use complete",
            breaks="one-load-retires-a-batch",
            source="description of CLR part 2 (#13507): proof from host-side state instead of reading the signal",
            sizes=ONE_QUEUE,
            features=("costs",),
        ),
        Variant(
            "load-before-wait",
            "a signal in device memory is looked at before it is waited for, though the wait looks first, too",
            breaks="a-wait-reads-once",
            source="description of CLR part 2 (#13507): WaitForSignal skips its check for a device-memory signal",
            sizes=ONE_QUEUE,
            features=("costs",),
        ),
        Variant(
            "host-signal-not-looked-at",
            "a signal in host memory is not looked at before it is waited for, either",
            breaks="no-wait-for-a-complete-host-signal",
            source="description of CLR part 2 (#13507), revisions 1 to 7",
            sizes=ONE_QUEUE,
            features=("costs", "host-signals"),
        ),
        Variant(
            "flush-each-store",
            "the HDP is flushed after each store that arms a signal",
            breaks="one-flush-a-batch",
            source="description of CLR part 2 (#13507): one HDP flush per 32 slots",
            sizes=ONE_QUEUE,
            features=("costs", "system-ring"),
        ),
        Variant(
            "flush-always",
            "the HDP is flushed wherever the rings are",
            breaks="no-flush-in-vain",
            source="description of CLR part 2 (#13507): flushes HDP only when the AQL rings are in system memory",
            sizes=ONE_QUEUE,
            features=("costs",),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="The retiring signal tracker of CLR's part 2, as merged.",
)


@protocol.start
def create(s: State) -> None:
    """HwQueueTracker::Create: the ring's first signals, armed."""
    handles = [Handle.at(position) for position in range(InitialSlot.count())]
    for position, handle in enumerate(handles):
        s.tracker.ring[RingSlot.at(position)].signal = handle
        s.gpu.pool.signals[handle].value = 1
    s.tracker.created = handles
    s.tracker.length = InitialSlot.count()
