"""The protocol's name, sizes, optional parts and variants."""

from __future__ import annotations

from fencepost import Actor, Feature, Protocol, Size, Variant
from fencepost_rocm.graph_pool.state import LaunchSlot, Prepopulated, SetSignal, SignalSet, State
from fencepost_rocm.sources import CLR

HOST = Actor("app")
"""A thread of the application, inside a call on the graph. One at a time is."""

IN_FLIGHT = Actor("packets of launch", lane="launch")
"""The packet processors, with the packets of one launch."""

LAST = Actor("last reference")
"""The thread that has dropped the last reference to the graph: the application's, or the one of a callback."""

PART_1 = "description of CLR part 1 (graph pool signals)"

protocol = Protocol(
    "graph-pool",
    state=State,
    sizes=[
        Size("launches", LaunchSlot, default=2, low=1, high=3, help="launches that are not over"),
        Size("sets", SignalSet, default=2, low=1, high=4, help="sets of signals the pool may come to"),
        Size(
            "prepopulated",
            Prepopulated,
            default=1,
            low=1,
            high=3,
            help="sets made with the graph (16)",
            at_most=("sets",),
        ),
        Size("signals", SetSignal, default=2, low=2, high=2, help="signals of a set: a fork and a leaf"),
    ],
    features=[
        Feature("failures", "a segment of a launch may fail to be published"),
        Feature("atomics", "a profiler may be attached, and holds up completions with host atomics", default=False),
        Feature("monitor", "a profiler may be attached, and its completion monitor polls signals", default=False),
        Feature("late-attach", "the profiler may be attached when graphs are there already", default=False),
        Feature("host-unmap", "the memory of a batch in host memory is unmapped when it is freed", default=False),
        Feature(
            "child-graph",
            "the graph has no pool, as a child graph on the recursive path: each launch makes a set and destroys it",
            default=False,
        ),
    ],
    variants=[
        Variant(
            "device-arena-under-a-monitor",
            "signals are in device memory although a profiler is attached, whose monitor polls them",
            breaks="memory-mapped-while-polled",
            source=f"{PART_1}: hip-graph-forkjoin-deadlock",
            sizes=(("launches", 1), ("sets", 1)),
            features=("monitor",),
        ),
        Variant(
            "device-signals-under-a-tool",
            "signals are in device memory although a profiler is attached, which adds and subtracts from the host",
            breaks="host-atomics-on-host-memory-only",
            source=f"{PART_1}: the rule on attached tools",
            sizes=(("launches", 1), ("sets", 1)),
            features=("atomics",),
        ),
        Variant(
            "flush-skipped",
            "the HDP flush is left out although rings are in system memory",
            breaks="wait-passes-after-its-segment",
            source=f"{PART_1}: the rule on flushes",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "set-reused-in-flight",
            "a set returns to the pool when its launch is enqueued, and is re-armed when it is taken again",
            breaks="set-of-one-launch",
            sizes=(("launches", 2), ("sets", 1)),
            features=(),
        ),
        Variant(
            "patched-once",
            "the first launch alone patches its handles into the graph's packets, as if each launch got the same set",
            breaks="packets-carry-their-own-set",
            source="public source of CLR: the patches, which one launch after another writes to one flat buffer",
            sizes=(("launches", 2), ("sets", 2)),
            features=(),
        ),
        Variant(
            "arena-goes-with-batch",
            "the memory of a batch is freed with the batch handle",
            breaks="memory-kept-while-signals-live",
            source=f"{PART_1}: the batch handle is released at once",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "arena-goes-with-last-slot",
            "the memory of a batch is freed when the signal in its last slot is destroyed",
            breaks="memory-kept-while-signals-live",
            source=f"{PART_1}: signals are destroyed in any order",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "batch-handle-kept",
            "the batch handle is never released",
            breaks="nothing-is-leaked",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "leaf-not-awaited",
            "the accumulate command does not wait for the leaf on the parallel stream",
            breaks="released-when-nothing-refers-to-it",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "launch-holds-no-reference",
            "a launch holds no reference to the graph",
            breaks="signals-outlive-their-packets",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "destroyed-armed",
            "the signals of the pool are destroyed as they rest, armed",
            breaks="no-hang",
            source="public source of CLR: GraphSignalManager::~GraphSignalManager",
            sizes=(("launches", 1), ("sets", 1)),
            features=(),
        ),
        Variant(
            "set-released-twice",
            "a launch that fails returns its set, and its callback does so again",
            breaks="destroyed-once",
            sizes=(("launches", 1), ("sets", 2)),
            features=("failures",),
        ),
        Variant(
            "failed-launch-keeps-set",
            "a launch that fails does not return its set",
            breaks="pool-is-bounded",
            sizes=(("launches", 1), ("sets", 2)),
            features=("failures",),
        ),
        Variant(
            "batch-for-each-launch",
            "the set of a launch without a pool is a batch, too",
            breaks="no-batch-for-one-launch",
            source=f"{PART_1}: rather than pay for a device batch each time",
            sizes=(("launches", 1), ("sets", 1)),
            features=("child-graph",),
        ),
        Variant(
            "repaired",
            "repaired: the marker of a launch that failed waits for the segments that were published",
            source="docs/findings.md#graph-pool-failed-launch",
            features=("failures", "atomics", "monitor"),
        ),
        Variant(
            "tool-spares-device-signals",
            "repaired: a profiler leaves packets alone whose signals are in device memory",
            source="docs/findings.md#graph-pool-late-attach",
            features=("atomics", "monitor", "late-attach"),
        ),
        Variant(
            "single-signals-under-a-tool",
            "repaired: while a profiler is attached, signals are made one by one instead of as a batch",
            source="docs/findings.md#graph-pool-host-batch",
            features=("atomics", "monitor", "host-unmap"),
        ),
    ],
    default="merged",
    sources=CLR,
    doc="The pool of a graph's signals, as CLR's part 1 places it in device memory.",
)
