"""The protocol's name, sizes, optional parts and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Step, Variant
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.serializer.sorts import Dispatch, Transition
from fencepost_rocm.serializer.state import State
from fencepost_rocm.sources import SERIALIZER_FILES

DISPATCHER = Actor("app", lane="queue")
"""The application's thread that holds the intercept lock of a queue."""

protocol = Protocol(
    "serializer",
    state=State,
    sizes=[
        Size("queues", HwQueue, default=2, low=1, high=4, help="queues of the agent"),
        Size("slots", PacketSlot, default=4, low=3, high=8, help="packets in a queue's window; 4 hold any dispatch"),
        Size("handles", Handle, default=2, low=1, high=4, help="signals there can be for barriers"),
        Size("kernels", Dispatch, default=2, low=1, high=4, help="dispatches of one queue under way at once"),
        Size("transitions", Transition, default=3, low=1, high=8, help="calls that enable or disable serialization"),
    ],
    features=[
        Feature(
            "unlocked-count",
            "a barrier counts what a queue's counter of active dispatches says, which changes outside the "
            "serializer's lock; without it every count is exact, so that a variant shows its own mistake alone",
        ),
        Feature(
            "tracing",
            "kernel tracing keeps the interception on, so there are dispatches that the serializer does not know",
            default=False,
        ),
        Feature(
            "drain-last",
            "a completion drains tags after it is counted off, where the code drains first",
            default=False,
        ),
        Feature("endless", "any number of transitions", default=False),
        Feature("teardown", "queues may be destroyed once their dispatches are complete", default=False),
        Feature(
            "sync-timeout",
            "the wait for a queue's dispatches before it is destroyed gives up (after 5 s in the code)",
            default=False,
        ),
    ],
    variants=[
        Variant(
            "retire-at-complete",
            "a barrier is destroyed as soon as it is complete, though a queue may still wait for its signal",
            breaks="no-hang",
            source="rocprofiler-sdk barrier retirement (#6750), before the fix",
            sizes=(("slots", 3), ("handles", 1), ("kernels", 1)),
            features=(),
        ),
        Variant(
            "leak-when-tagged",
            "a complete barrier that a queue may still wait for is dropped without destroying its signal",
            breaks="no-signal-leaked",
            source="rocprofiler-sdk barrier retirement (#6750), first version of the fix, rejected in review",
            features=(),
        ),
        Variant(
            "no-remove-on-teardown",
            "remove_queue takes a destroyed queue out of the counts of barriers, and leaves its tags",
            breaks="tag-will-be-dropped",
            source="rocprofiler-sdk barrier retirement (#6750): the rule on teardown, and a reviewer's question",
            features=("sync-timeout", "teardown"),
        ),
        Variant(
            "drain-without-count",
            "a tag is dropped at the next completion of its queue once the barrier is complete; harmless where the "
            "drain comes first, as in the code",
            breaks="no-handle-destroyed-while-referenced",
            source="rocprofiler-sdk barrier retirement (#6750): the rule on draining",
            features=("drain-last",),
        ),
        Variant(
            "drain-while-armed",
            "a tag is dropped by its count alone, whether the barrier is complete or not; harmless",
            source="rocprofiler-sdk barrier retirement (#6750): the rule on draining",
            features=(),
        ),
        Variant(
            "drain-at-any-completion",
            "a tag is dropped at the next completion of its queue, without a look at its count or its barrier",
            breaks="no-handle-destroyed-while-referenced",
            source="rocprofiler-sdk barrier retirement (#6750): the rule on draining",
            features=(),
        ),
        Variant(
            "token-before-count",
            "a tag is stamped before its own dispatch is counted, so the token is one too small; harmless where the "
            "drain comes first, as in the code",
            breaks="no-handle-destroyed-while-referenced",
            features=("drain-last",),
        ),
        Variant(
            "status-at-completion",
            "a completion goes by the status now, not by the mode its dispatch was made in",
            breaks="no-hang",
            source="rocprofiler-sdk #5023",
            features=(),
        ),
        Variant(
            "owner-not-looked-at",
            "a queue whose ready packet has passed gets the token, whoever has it",
            breaks="one-serialized-kernel-at-a-time",
            source="profiler_serializer::queue_ready without its test of _dispatch_queue",
            sizes=(("slots", 3), ("handles", 1), ("kernels", 1)),
            features=(),
        ),
        Variant(
            "transition-packet-behind-work-only",
            "a queue is given the transition packet only while the barrier waits for dispatches of it: one that is "
            "idle starts in the new mode at once",
            breaks="modes-do-not-overlap",
            source="hsa_barrier::enqueue_packet, asking _queue_waiting for the queue first",
            sizes=(("slots", 3), ("handles", 1), ("kernels", 1)),
            features=(),
        ),
        Variant(
            "repaired",
            "a barrier counts the serialized dispatches in the serializer's own books, which change under its lock; "
            "a destroyed queue is taken out of them",
            source="docs/findings.md",
        ),
        Variant(
            "repaired-start-only",
            "async_started is moved under the serializer's lock, async_complete is not",
            breaks="no-hang",
            source="docs/findings.md",
        ),
        Variant(
            "repaired-end-only",
            "async_complete is moved under the serializer's lock, async_started is not",
            breaks="no-hang",
            source="docs/findings.md",
        ),
        Variant(
            "repaired-both-ends",
            "async_started and async_complete are under the serializer's lock, but a barrier still counts dispatches "
            "that the serializer does not know",
            breaks="no-hang",
            source="docs/findings.md",
            features=("tracing", "unlocked-count"),
        ),
    ],
    default="merged",
    sources=SERIALIZER_FILES,
    doc="The barrier retirement of rocprofiler-sdk's profile serializer, as merged.",
)


def counts_are_exact(m: Step) -> bool:
    """Whether a barrier counts the dispatches in the serializer's own books."""
    return m.variant("repaired") or not m.has("unlocked-count")


def starts_under_lock(m: Step) -> bool:
    """Whether async_started is called under the serializer's lock."""
    return m.variant("repaired-start-only") or m.variant("repaired-both-ends")


def ends_under_lock(m: Step) -> bool:
    """Whether async_complete of a dispatch that the serializer knows is called under its lock."""
    return m.variant("repaired-end-only") or m.variant("repaired-both-ends")


def removes_on_teardown(m: Step) -> bool:
    """Whether a queue that is destroyed is taken out of the serializer, which nobody does in the merged code."""
    return m.variant("repaired") or m.variant("no-remove-on-teardown")
