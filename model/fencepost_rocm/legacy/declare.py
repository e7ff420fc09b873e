"""The protocol object: sizes, features and variants of the legacy tracker."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.legacy.state import Event, InitialSlot, RingSlot, StackSlot, State
from fencepost_rocm.sources import CLR

HOST = Actor("app")
"""The thread that is inside a call, holding execution()."""

OTHER = Actor("app 2")
"""A thread that holds events or reads times and never takes execution()."""

protocol = Protocol(
    "legacy",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=2, low=2, high=3, help="the compute queue and the engines beside it"),
        Size("slots", PacketSlot, default=2, low=1, high=6, help="packets in the window of a queue"),
        Size(
            "ring",
            InitialSlot,
            default=3,
            low=2,
            high=6,
            help="signals the ring starts with (64)",
            at_most=("room", "handles"),
        ),
        Size("room", RingSlot, default=4, low=2, high=8, help="signals the ring may grow to (no cap in the code)"),
        Size("stack", StackSlot, default=2, low=1, high=6, help="idle signals of a stack (no cap in the code)"),
        Size("events", Event, default=1, low=1, high=3, help="events that can hold a signal at a time"),
        Size("handles", Handle, default=5, low=2, high=9, symmetric=True, help="signals there can be"),
    ],
    features=[
        Feature("copies", "copies on an SDMA engine"),
        Feature("prefetch", "prefetches (engine unknown), which no barrier precedes"),
        Feature("events", "events that hold the signal of a command"),
        Feature("peer", "another stream that waits for an event on the engine's queue"),
        Feature("failures", "ROCr may fail to create a signal for a longer ring, or to take a copy"),
        Feature("idle-check", "the check whether the compute queue is idle"),
        Feature("any-order", "kernels with a signal and without the barrier bit", default=False),
        Feature("timing", "a Timestamp that lists the signals of timed operations", default=False),
        Feature("callbacks", "async handlers, blocking callbacks, interrupt signals", default=False),
    ],
    variants=[
        Variant(
            "no-wait-next",
            "the next slot's signal is not waited for before a slot is used again",
            breaks="rearmed-only-when-free",
            features=("copies", "events", "failures"),
        ),
        Variant(
            "shared-signal-not-replaced",
            "a signal that somebody else still holds is armed anew",
            breaks="event-sees-its-own-use",
            features=("events",),
        ),
        Variant(
            "raw-handle-cached",
            "the idle check reads the raw handle that the last packet completes",
            breaks="idle-check-reads-a-live-signal",
            source="CLR #7597, #8107 and #8113",
            features=("copies", "events", "idle-check"),
        ),
        Variant(
            "wrong-interrupt-type",
            "a shared signal is replaced by one without an interrupt, whatever it had",
            breaks="stacks-are-bounded",
            source="CLR #4653",
            features=("callbacks", "events"),
        ),
        Variant(
            "stale-timing-entry",
            "a signal's times are taken before its slot is used again, but its entry stays on the list",
            breaks="times-taken-before-rearm",
            source="a comment in CLR's source",
            features=("events", "timing"),
        ),
        Variant(
            "times-when-asked-for",
            "neither a wait nor the handler takes times: they are read from the listed signals once somebody asks",
            breaks="no-destroyed-signal-is-listed",
            source="HwQueueTracker::CpuWaitForSignal and updateCommandsState without Timestamp::checkGpuTime",
            sizes=(("ring", 2), ("room", 2), ("stack", 1), ("handles", 4)),
            features=("callbacks", "timing"),
        ),
        Variant(
            "no-waits",
            "neither the slot's own signal nor the next one is waited for before a slot is used again",
            breaks="completion-decrements-its-own-use",
            sizes=(("ring", 2), ("room", 2), ("handles", 3)),
            features=("events", "failures"),
        ),
        Variant(
            "grows-before-current",
            "a new signal is inserted before the current slot instead of after it",
            breaks="ring-keeps-submission-order",
            sizes=(("slots", 3),),
            features=(),
        ),
        Variant(
            "reset-keeps-slot",
            "after a failure of ROCr the current slot stays current",
            breaks="copy-starts-after-earlier-work",
            features=("copies", "failures"),
        ),
        Variant(
            "waiter-holds-nothing",
            "another stream's command does not hold the command that it waits for",
            breaks="no-handle-destroyed-while-referenced",
            features=("events", "peer"),
        ),
        Variant(
            "type-before-sharing",
            "the interrupt type is matched before the references are looked at",
            breaks="stacks-hold-idle-signals",
            features=("callbacks", "events"),
        ),
        Variant(
            "replacement-failure-ignored",
            "a shared signal that cannot be replaced is used all the same (the assertion of a release build)",
            breaks="rearmed-only-when-free",
            features=("events",),
        ),
        Variant(
            "handler-takes-execution",
            "the async handler waits for execution() before it takes a blocking callback's count off",
            breaks="no-hang",
            features=("callbacks", "failures"),
        ),
        Variant(
            "repaired",
            "a barrier before a prefetch, a copy listed only once ROCr has taken it, idleness told by a barrier packet",
        ),
    ],
    default="part-1",
    sources=CLR,
    doc="LegacySignalTracker: CLR's completion signals, reused in a ring that grows, as part 1 moved them.",
)


@protocol.start
def create(s: State) -> None:
    """HwQueueTracker::Create: the ring's first signals, idle."""
    for position in range(InitialSlot.count()):
        handle = Handle.at(position)
        s.tracker.ring[RingSlot.at(position)] = handle
        s.gpu.pool.signals[handle].alive = True
    for position in range(Handle.count()):
        free = Handle.count() - 1 - position
        s.gpu.pool.free[Handle.at(position)] = Handle.at(free) if free >= InitialSlot.count() else None
