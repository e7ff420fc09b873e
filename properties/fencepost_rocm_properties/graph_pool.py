"""Properties of the pool of a graph's signals."""

from __future__ import annotations

from fencepost import Bool, Properties, count, exists, ite
from fencepost_rocm.graph_pool.state import (
    FORK,
    LEAF,
    Arena,
    ExecPhase,
    LaunchPc,
    LaunchSlot,
    Location,
    Packet,
    PacketPhase,
    Prepopulated,
    SetSignal,
    SignalSet,
    State,
    ToolPc,
    exec_is_held,
    made,
    own_set,
)
from fencepost_rocm.hardware import host_sees_done

properties = Properties("graph-pool")


def is_cleaned_up(s: State, launch: LaunchSlot) -> Bool:
    """OnLaunchComplete is at the launch's set."""
    return s.launches[launch].pc.is_in(LaunchPc.REARM, LaunchPc.FLUSH, LaunchPc.RETURN)


def is_referred_to(s: State, signals: SignalSet) -> Bool:
    """A packet has still to read or to decrement a signal of the set, or a profiler to take back what it added."""
    by_a_tool = s.tool.uses_atomics() & (s.tool.set == signals)
    return by_a_tool | exists(LaunchSlot, lambda launch: s.launches[launch].refers_to(signals))


@properties.invariant(
    "released-when-nothing-refers-to-it",
    protects="GraphExec::EnqueueSegmentedGraph (accumulate), GraphSignalManager::ReleaseSet",
    twin=is_cleaned_up,
)
def released_when_nothing_refers_to_it(s: State, launch: LaunchSlot) -> Bool:
    """A set is re-armed and returned only when nobody has still to read or to change a signal of it for the launch."""
    return is_cleaned_up(s, launch).implies(~is_referred_to(s, s.launches[launch].set))


@properties.invariant(
    "set-of-one-launch",
    protects="GraphSignalManager::AcquireSet, ReleaseSet",
    twin=lambda s, launch: s.launches[launch].owns_set() & (s.exec.pooled() > 0),
)
def set_of_one_launch(s: State, launch: LaunchSlot) -> Bool:
    """A set that a launch has taken is not in the pool, and no other launch has it."""
    this = s.launches[launch]

    def is_shared(other: LaunchSlot) -> Bool:
        return (other != launch) & s.launches[other].owns_set() & (s.launches[other].set == this.set)

    return this.owns_set().implies(~s.exec.has_pooled(this.set) & ~exists(LaunchSlot, is_shared))


@properties.invariant(
    "packets-carry-their-own-set",
    protects="Device::ApplyHwEventPatches, VirtualGPU::dispatchAqlPacketBatchFlat",
    twin=lambda s, launch: s.launches[launch].is_in_call() & s.launches[launch].leaf.is_in_flight(),
)
def packets_carry_their_own_set(s: State, launch: LaunchSlot) -> Bool:
    """A launch publishes its segments with the handles of the set that it has taken."""
    this = s.launches[launch]
    carries = this.first.refers_to(this.set) | ~this.first.is_in_flight()
    carries = carries & (this.leaf.refers_to(this.set) | ~this.leaf.is_in_flight())
    return (this.is_in_call() & this.owns_set()).implies(carries)


@properties.invariant(
    "memory-kept-while-signals-live",
    protects="hsa_amd_signal_batch_destroy, hsa_signal_destroy",
    twin=lambda s, signals: ~s.sets[signals].alive.is_empty & (s.sets[signals].arena == Arena.MAPPED),
)
def memory_kept_while_signals_live(s: State, signals: SignalSet) -> Bool:
    """The memory of a batch is not freed while one of its signals is alive."""
    return s.sets[signals].alive.is_empty | s.sets[signals].is_kept()


@properties.invariant(
    "memory-mapped-while-polled",
    protects="amd::activity_prof::tool_attached (graph signals in host memory), hsa_signal_destroy",
    twin=lambda s: (s.tool.pc != ToolPc.IDLE) & (s.exec.phase == ExecPhase.DESTROY),
    needs=("monitor|atomics",),
)
def memory_mapped_while_polled(s: State) -> Bool:
    """While a profiler has a signal in hand, the memory of the signal is mapped."""
    return (s.tool.pc != ToolPc.IDLE).implies(s.sets[s.tool.set].is_readable())


def is_in_use(s: State, signals: SignalSet) -> Bool:
    """A packet or an atomic has still to do with the set, or a callback re-arms it."""
    by_a_callback = exists(LaunchSlot, lambda launch: is_cleaned_up(s, launch) & (s.launches[launch].set == signals))
    return is_referred_to(s, signals) | by_a_callback


@properties.invariant(
    "signals-outlive-their-packets",
    protects="GraphExec::Run (retain), hsa_signal_destroy",
    twin=is_in_use,
)
def signals_outlive_their_packets(s: State, signals: SignalSet) -> Bool:
    """While a packet, an atomic or a callback has still to do with a set, its signals and its pool are there."""
    gone = s.exec.phase == ExecPhase.GONE
    dead = exists(SetSignal, lambda signal: ~s.sets[signals].alive.has(signal))
    return is_in_use(s, signals).implies(~gone & ~dead)


@properties.invariant(
    "destroyed-once",
    protects="GraphSignalManager::~GraphSignalManager, ReleaseSet",
    twin=lambda s: s.exec.dying.is_some,
)
def destroyed_once(s: State) -> Bool:
    """No signal is destroyed twice."""
    return ~s.exec.destroyed_twice


@properties.invariant(
    "nothing-is-leaked",
    protects="Device::CreateSignals (batch handle), GraphSignalManager::~GraphSignalManager",
    twin=lambda s, signals: (s.exec.phase == ExecPhase.GONE) & (s.sets[signals].location != Location.NONE),
)
def nothing_is_leaked(s: State, signals: SignalSet) -> Bool:
    """When the graph is destroyed, its signals and the memory of its batches are gone.

    Device memory is not only freed, but unmapped.
    """
    memory = s.sets[signals]
    unmapped = (memory.arena == Arena.FREED).implies(memory.location == Location.HOST_BATCH)
    return (s.exec.phase == ExecPhase.GONE).implies(memory.alive.is_empty & (memory.arena != Arena.MAPPED)) & unmapped


@properties.invariant(
    "graph-lives-while-held",
    protects="GraphExec::retain, release, hipGraphExecDestroy",
    twin=lambda s: exec_is_held(s) & ~s.exec.app_holds,
)
def graph_lives_while_held(s: State) -> Bool:
    """The graph is there as long as the application or a launch has a reference to it, and no longer.

    Calls on one graph are serialized: while one runs no other does, and the application keeps its reference.
    """
    is_there = s.exec.phase.is_in(ExecPhase.PREPOPULATE, ExecPhase.READY)
    calls = count(LaunchSlot, lambda launch: s.launches[launch].is_in_call())
    return (is_there == exec_is_held(s)) & (calls <= ite(s.exec.app_holds, 1, 0))


@properties.invariant(
    "launch-leaves-nothing",
    protects="GraphExec::OnLaunchComplete (release)",
    twin=lambda s, launch: (s.launches[launch].pc == LaunchPc.FREE) & (s.exec.most_launches > 0),
)
def launch_leaves_nothing(s: State, launch: LaunchSlot) -> Bool:
    """A launch that is over has no packet on a ring, and nothing of it is ahead of a later launch."""
    this = s.launches[launch]
    packets = (this.first, this.leaf, this.join)
    left = exists(LaunchSlot, lambda other: s.launches[other].older.has(launch))
    for packet in packets:
        left = left | (packet.phase != PacketPhase.NONE)
    return (this.pc == LaunchPc.FREE).implies(~left & this.join_dep.is_none & this.older.is_empty)


@properties.invariant(
    "host-atomics-on-host-memory-only",
    protects="amd::activity_prof::tool_attached (graph signals in host memory)",
    twin=lambda s: s.tool.uses_atomics(),
    needs=("atomics",),
)
def host_atomics_on_host_memory_only(s: State) -> Bool:
    """A profiler adds to and subtracts from signals in host memory only."""
    return s.tool.uses_atomics().implies(~s.sets[s.tool.set].is_in_device_memory())


@properties.invariant(
    "pool-is-bounded",
    protects="GraphSignalManager::AcquireSet (fallback), ReleaseSet",
    twin=lambda s: made(s) > Prepopulated.count(),
)
def pool_is_bounded(s: State) -> Bool:
    """There are no more sets than were made with the graph, or than launches were ever under way at a time."""
    return (made(s) <= Prepopulated.count()) | (made(s) <= s.exec.most_launches)


@properties.invariant(
    "wait-passes-after-its-segment",
    protects="Device::ResetHwEvents, FlushSignalStores",
    twin=lambda s, launch: s.launches[launch].leaf.phase == PacketPhase.LAUNCHED,
)
def wait_passes_after_its_segment(s: State, launch: LaunchSlot) -> Bool:
    """A packet's wait is satisfied only after the segment that it waits for is complete."""
    return ~s.exec.passed_early


def has_started(packet: Packet) -> Bool:
    """It was launched."""
    return packet.phase.is_in(PacketPhase.LAUNCHED, PacketPhase.SATISFIED, PacketPhase.COMPLETE)


@properties.invariant(
    "segment-not-taken-for-complete",
    protects="packet processor: completion, barrier bit, Device::ResetHwEvents",
    twin=lambda s, launch: s.launches[launch].first.is_in_flight() & s.launches[launch].join.is_in_flight(),
)
def segment_not_taken_for_complete(s: State, launch: LaunchSlot) -> Bool:
    """While a segment is in flight its signal is above 0, whoever reads it, and what is behind it does not start."""
    this = s.launches[launch]
    taken = this.first.is_in_flight() & has_started(this.join)
    for packet, position in ((this.first, FORK), (this.leaf, LEAF)):
        signal = s.sets[packet.set].values[SetSignal.at(position)]
        taken = taken | (packet.is_in_flight() & host_sees_done(signal))
    return ~taken


@properties.invariant(
    "armed-before-decremented",
    protects="Device::FlushSignalStores",
    twin=lambda s, signals, signal: s.sets[signals].posted.has(signal),
)
def armed_before_decremented(s: State, signals: SignalSet, signal: SetSignal) -> Bool:
    """The store that arms a signal is in memory before a segment decrements it."""
    return ~s.exec.decremented_unarmed


def is_to_be_patched(s: State, launch: LaunchSlot) -> Bool:
    """The launch has a set, and has published nothing."""
    return s.launches[launch].pc.is_in(LaunchPc.PATCH, LaunchPc.FIRST)


@properties.invariant(
    "taken-armed",
    protects="Device::ResetHwEvents, CreateHwEvents",
    twin=lambda s, launch, signal: is_to_be_patched(s, launch) & (s.exec.most_launches > 0),
)
def taken_armed(s: State, launch: LaunchSlot, signal: SetSignal) -> Bool:
    """Before a launch publishes anything, each signal of its set is 1, or a store of 1 to it is on its way."""
    memory = s.sets[s.launches[launch].set]
    return is_to_be_patched(s, launch).implies((memory.values[signal] == 1) | memory.posted.has(signal))


@properties.invariant(
    "no-batch-for-one-launch",
    protects="GraphExec::Run (child graph), Device::CreateSignals (batched)",
    twin=lambda s, launch: (s.launches[launch].pc == LaunchPc.RELEASE) & ~s.sets[own_set(launch)].alive.is_empty,
    needs=("child-graph",),
)
def no_batch_for_one_launch(s: State, launch: LaunchSlot) -> Bool:
    """A launch pays for no memory of a batch that serves it alone, neither to make it nor to free it."""
    return s.launches[launch].batches == 0


@properties.response(
    "launch-completes",
    protects="GraphExec::Run, OnLaunchComplete, Device::ResetHwEvents",
    goal=lambda s, launch: s.launches[launch].pc == LaunchPc.FREE,
)
def launch_completes(s: State, launch: LaunchSlot) -> Bool:
    """Every launch completes, and its callback gives back what it took."""
    return s.launches[launch].pc != LaunchPc.FREE


@properties.response(
    "destruction-ends",
    protects="GraphSignalManager::~GraphSignalManager, ProfilingSignal::~ProfilingSignal",
    goal=lambda s: s.exec.phase == ExecPhase.GONE,
)
def destruction_ends(s: State) -> Bool:
    """The thread that drops the last reference to a graph does not wait for ever for a signal of its pool."""
    return s.exec.phase == ExecPhase.DESTROY


@properties.hang("no-hang", protects="GraphExec::Run, OnLaunchComplete, GraphSignalManager::~GraphSignalManager")
def work_is_outstanding(s: State) -> Bool:
    """While a launch, the graph's making or its destruction is under way, some step but a new call can be taken."""
    launched = exists(
        LaunchSlot,
        lambda launch: (s.launches[launch].pc != LaunchPc.FREE) | s.launches[launch].is_in_flight(),
    )
    return launched | s.exec.phase.is_in(ExecPhase.PREPOPULATE, ExecPhase.DESTROY) | s.tool.uses_atomics()
