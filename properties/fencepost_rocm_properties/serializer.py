"""Properties of the profile serializer."""

from __future__ import annotations

from fencepost import Bool, Int, Properties, count, exists, ite, total
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, Phase
from fencepost_rocm.serializer.gpu import Role
from fencepost_rocm.serializer.state import Stage, State, ToolPc, in_deque, is_complete, lock_is_free
from fencepost_rocm_properties import hardware

properties = Properties("serializer")
properties.include(hardware.references, of=lambda s: s.gpu)


def runs(s: State, queue: HwQueue, slot: PacketSlot, *roles: Role) -> Bool:
    """A kernel of one of these roles is running there."""
    packet = s.gpu.queues[queue].packets[slot]
    return packet.is_there() & packet.role.is_in(*roles) & (packet.phase == Phase.LAUNCHED)


def running(s: State, *roles: Role) -> Int:
    """How many kernels of these roles are running."""
    return total(HwQueue, lambda queue: count(PacketSlot, lambda slot: runs(s, queue, slot, *roles)))


def is_armed(s: State, handle: Handle) -> Bool:
    """The barrier of that handle is armed, and no tool is still counting for it."""
    return in_deque(s, handle) & ~is_complete(s, handle) & lock_is_free(s)


def place_of(s: State, handle: Handle) -> Int:
    """Where in the deque the barrier of that handle is; only where it is in it."""
    return total(Handle, lambda place: ite(s.serializer.order[place] == handle, place.ordinal, 0))


def ahead_of(s: State, handle: Handle, queue: HwQueue) -> Int:
    """Dispatches of the queue that are not complete and come before the packet of this or of a later barrier."""
    ahead = s.queues[queue].dispatched + 0
    for other in (Handle.at(position) for position in range(Handle.count())):
        holds_back = (
            in_deque(s, other)
            & (place_of(s, other) >= place_of(s, handle))
            & s.serializer.barriers[other].tagged.has(queue)
        )
        before = s.serializer.barriers[other].missing[queue] - 1
        ahead = ite(holds_back & (before < ahead), before, ahead)
    return ahead


@properties.invariant(
    "no-handle-destroyed-while-built",
    protects="hsa_barrier::safe_to_destroy",
    twin=lambda s, queue: (s.queues[queue].stage == Stage.BUILT) & s.queues[queue].transition.is_some,
)
def no_handle_destroyed_while_built(s: State, queue: HwQueue) -> Bool:
    """A barrier is not destroyed while its transition packet is built but not yet in the ring."""
    return ~s.queues[queue].transition_recycled


@properties.invariant(
    "one-serialized-kernel-at-a-time",
    protects="profiler_serializer::queue_ready, kernel_completion_signal",
    twin=lambda s: running(s, Role.SERIALIZED_KERNEL) == 1,
)
def one_serialized_kernel_at_a_time(s: State) -> Bool:
    """At most one serialized kernel runs."""
    return running(s, Role.SERIALIZED_KERNEL) <= 1


@properties.invariant(
    "modes-do-not-overlap",
    protects="hsa_barrier::set_barrier",
    twin=lambda s: running(s, Role.KERNEL, Role.ORDERED_KERNEL) > 0,
)
def modes_do_not_overlap(s: State) -> Bool:
    """No kernel of one mode starts before all kernels of the other mode have ended."""
    return (running(s, Role.SERIALIZED_KERNEL) == 0) | (running(s, Role.KERNEL, Role.ORDERED_KERNEL) == 0)


@properties.invariant(
    "only-the-owner-is-unblocked",
    protects="profiler_serializer::queue_ready (block_signal)",
    twin=lambda s, queue: (s.serializer.owner == queue) & (s.gpu.queues[queue].block == -1),
)
def only_the_owner_is_unblocked(s: State, queue: HwQueue) -> Bool:
    """A queue's block packet may pass, or has passed, exactly while the queue has the token."""
    return (s.serializer.owner == queue) == (s.gpu.queues[queue].block < 1)


@properties.invariant(
    "completion-finds-the-token",
    protects="profiler_serializer::kernel_completion_signal (CHECK of _dispatch_queue)",
    twin=lambda s: s.serializer.owner.is_some,
)
def completion_finds_the_token(s: State) -> Bool:
    """A completion that is to pass the token on finds that somebody has it; otherwise the profiler aborts."""
    return ~s.serializer.completion_without_owner


@properties.invariant(
    "barrier-counts-what-is-ahead-of-it",
    protects="hsa_barrier::set_barrier (queue_waiting)",
    twin=lambda s, handle, queue: is_armed(s, handle) & s.serializer.barriers[handle].waiting.has(queue),
)
def barrier_counts_what_is_ahead_of_it(s: State, handle: Handle, queue: HwQueue) -> Bool:
    """An armed barrier waits for as many completions of a queue as it has dispatches ahead of the transition packet."""
    barrier = s.serializer.barriers[handle]
    return is_armed(s, handle).implies(
        (barrier.counts[queue] == ahead_of(s, handle, queue))
        & (barrier.waiting.has(queue) == (barrier.counts[queue] > 0))
    )


@properties.invariant(
    "armed-barrier-waits-for-something",
    protects="hsa_barrier::register_completion",
    twin=is_armed,
)
def armed_barrier_waits_for_something(s: State, handle: Handle) -> Bool:
    """An armed barrier waits for a dispatch whose completion is still to come and is not behind its own packet."""
    barrier = s.serializer.barriers[handle]

    def still_to_come(queue: HwQueue) -> Bool:
        return barrier.waiting.has(queue) & (ahead_of(s, handle, queue) > 0)

    return is_armed(s, handle).implies(exists(HwQueue, still_to_come))


@properties.invariant(
    "tag-will-be-dropped",
    protects="hsa_barrier::drain_queue, remove_queue",
    twin=lambda s, handle, queue: s.serializer.barriers[handle].tagged.has(queue) & is_complete(s, handle),
)
def tag_will_be_dropped(s: State, handle: Handle, queue: HwQueue) -> Bool:
    """A queue that holds a barrier back has a dispatch under way whose completion lets go of it."""
    barrier = s.serializer.barriers[handle]
    return barrier.tagged.has(queue).implies(
        (barrier.missing[queue] > 0) & (barrier.missing[queue] <= s.queues[queue].dispatched)
    )


def has_complete_barrier(s: State, handle: Handle) -> Bool:
    """A barrier is complete and still there."""
    return in_deque(s, handle) & is_complete(s, handle)


@properties.invariant(
    "destroyed-without-tags",
    protects="hsa_barrier::~hsa_barrier",
    twin=has_complete_barrier,
)
def destroyed_without_tags(s: State) -> Bool:
    """The destructor of a barrier never finds tags."""
    return ~s.serializer.destroyed_with_tags


@properties.invariant(
    "no-signal-leaked",
    protects="hsa_barrier::~hsa_barrier",
    twin=lambda s, handle: s.gpu.pool.signals[handle].alive,
)
def no_signal_leaked(s: State, handle: Handle) -> Bool:
    """Every live signal belongs to a barrier that the serializer still has."""
    return s.gpu.pool.signals[handle].alive == in_deque(s, handle)


def is_held_back(s: State, queue: HwQueue) -> Bool:
    """The oldest packet of the queue has not been launched, or is a barrier that has not seen its signal."""
    packet = s.gpu.queues[queue].packets[PacketSlot.at(0)]
    return packet.is_there() & (
        (packet.phase == Phase.VALID) | ((packet.phase == Phase.LAUNCHED) & packet.is_barrier())
    )


@properties.response(
    "every-packet-gets-going",
    protects="profiler_serializer",
    goal=lambda s, queue: ~is_held_back(s, queue),
)
def every_packet_gets_going(s: State, queue: HwQueue) -> Bool:
    """The oldest packet of a queue is not held back for ever, so every kernel dispatched runs some time."""
    return is_held_back(s, queue)


@properties.response(
    "every-barrier-clears",
    protects="hsa_barrier::register_completion",
    goal=lambda s, handle: ~in_deque(s, handle) | is_complete(s, handle),
)
def every_barrier_clears(s: State, handle: Handle) -> Bool:
    """A barrier that is armed is complete some time."""
    return in_deque(s, handle) & ~is_complete(s, handle)


def waits_for_the_token(s: State, queue: HwQueue) -> Bool:
    """The queue's ready packet has passed, and another queue has the token."""
    return exists(HwQueue, lambda place: s.serializer.ready[place] == queue)


@properties.response(
    "token-comes-round",
    protects="profiler_serializer::queue_ready, kernel_completion_signal",
    goal=lambda s, queue: (s.serializer.owner == queue) | s.queues[queue].gone,
)
def token_comes_round(s: State, queue: HwQueue) -> Bool:
    """A queue that waits for the token gets it."""
    return waits_for_the_token(s, queue)


@properties.hang("no-hang", protects="profiler_serializer")
def work_is_outstanding(s: State, queue: HwQueue) -> Bool:
    """While a dispatch or a call of the tool is under way, some step other than the application's can be taken."""
    return (s.queues[queue].stage != Stage.IDLE) | (s.queues[queue].active > 0) | (s.tool.pc != ToolPc.IDLE)
