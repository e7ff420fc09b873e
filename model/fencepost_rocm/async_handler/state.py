"""Registrations, where the handler thread and a stream's threads are, and what a VirtualGPU keeps."""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Record,
    Step,
    array,
    boolean,
    choice,
    count,
    exists,
    forall,
    index,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import AqlQueue, GpuWithoutReadIndex, Handle, HwQueue, Packet, PacketSlot, Phase
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.hardware.ring import RingSlot, SignalRing


class Registration(Index):
    """A registration of a handler there can be at a time, with the batch of commands that it completes."""


# The hardware.


class Marker(Packet):
    """A barrier-AND packet with the barrier bit, which completes a signal; `kind` tells nothing here."""

    def is_barrier(self) -> Bool:
        """It is one."""
        return self.is_there()

    def waits_for_earlier(self) -> Bool:
        """It has the barrier bit."""
        return self.is_there()

    def spins_on_host(self) -> Bool:
        """Nothing here does."""
        return Bool.constant(False)


class MarkerQueue(AqlQueue):
    """The window of such packets."""

    packets = table(PacketSlot, Marker)


class HandlerGpu(GpuWithoutReadIndex):
    """The streams' hardware queues."""

    queues = table(HwQueue, MarkerQueue)

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """A barrier-AND waits for 0."""
        return barrier_and_sees_done(self.value(self.queues[queue].packets[slot].dep.get))

    def submit(self, queue: HwQueue) -> Marker:
        """Reserve a slot, write the packet and ring the doorbell, in one step: see `Gpu.publish`."""
        ring = self.queues[queue]
        packet = ring.packets[PacketSlot.of(ring.length())]
        packet.phase = Phase.VALID
        return packet


# What the handler thread is told.


class Progress(enum.Enum):
    """How far a registration has come."""

    FREE = "free"
    DRAFT = "being made"
    NEW = "in new_events"
    LISTED = "in the list that the thread goes through"
    RUNNING = "its handler runs"


def _exists(registration: Registered) -> Bool:
    return registration.progress != Progress.FREE


class Registered(Record):
    """A registration, and the batch of its Timestamp."""

    progress = choice(Progress)
    queue = index(HwQueue, live_when=_exists)
    """The VirtualGPU. The handler holds a reference to it."""
    signal = maybe(Handle, live_when=_exists)
    """The signal that it is registered for, which ROCr retains until the handler has returned false."""
    blocking = boolean(live_when=_exists)
    """A blocking callback: the signal starts one higher, and the handler takes that off."""
    turn = boolean(live_when=lambda registration: registration.progress == Progress.LISTED)
    """The pass through the list has yet to look at it."""
    holds_signal = boolean(live_when=_exists)
    """The handler's own reference to the signal, since part 2."""
    held = members(Handle, live_when=_exists)
    """Signals that commands of the batch hold until the handler releases them."""
    listed = members(Handle, live_when=_exists)
    """Signals whose times the batch's Timestamp has yet to take."""
    counted = boolean(ghost=True)
    """The handler is in QueuedAsyncHandlers."""
    holds_gpu = boolean(ghost=True)
    """The handler has yet to drop the VirtualGPU."""
    rearmed = boolean(ghost=True)
    """The signal was armed anew before the handler was through with it."""
    recycled = boolean(ghost=True)
    """The signal was destroyed or created anew before the handler was through with it."""

    def is_there(self) -> Bool:
        """The place holds a registration."""
        return _exists(self)

    def is_with_rocr(self) -> Bool:
        """ROCr knows of it, and retains its signal."""
        return self.progress.is_in(Progress.NEW, Progress.LISTED, Progress.RUNNING)


class HandlerPc(enum.Enum):
    """Where the handler thread is."""

    LOOP = "AsyncEventsLoop"
    COLLECT = "updateCommandsState: times, under the Timestamp's lock"
    COMPLETE = "updateCommandsState: status"
    RELEASE = "updateCommandsState: release"
    HW_QUEUE = "ReleaseHwQueue"
    WAIT_EXECUTION = "ReleaseHwQueue: wait for execution()"
    SUBTRACT = "blocking callback: subtract 1"
    COUNT = "QueuedAsyncHandlers--"
    DROP_SIGNAL = "drop the signal"
    DROP_GPU = "drop the VirtualGPU"
    DESTROY = "~VirtualGPU"
    RETURN = "return false"


class HandlerThread(Record):
    """ROCr's one thread for handlers of signals."""

    pc = choice(HandlerPc)
    running = maybe(Registration)
    """The registration whose handler runs."""
    in_handler = boolean()
    """The thread-local that tells that this is a handler (tls_in_async_handler)."""
    seen = members(Handle)
    """Listed signals that were seen complete while the Timestamp's lock is held."""
    subtracted_stale = boolean(ghost=True)
    """A handler took 1 off a signal that meant another use by then."""
    destroyed = boolean(ghost=True)
    """A handler destroyed a queue or a signal."""
    unmapped = boolean(ghost=True)
    """The arena of a batch of signals was unmapped on this thread."""


# Streams.


class Life(enum.Enum):
    """The life of a VirtualGPU."""

    NONE = "there is none"
    LIVE = "a stream has it"
    ORPHANED = "handlers have it"
    DEFERRED = "on the list of what an application thread is to destroy"
    DYING = "is destroyed"


class Pc(enum.Enum):
    """Where the thread is that has execution() of a stream, or destroys or creates it."""

    IDLE = "not in a call"
    SLOT = "AcquireSlot"
    WAIT = "AcquireSlot: wait for the oldest use"
    TIMES = "Reclaim: times"
    SHARING = "Reclaim: references"
    REARM = "Reclaim: store"
    SPARE = "Reclaim: spare"
    BEGIN = "ActiveSignal: begin the use"
    REFERENCES = "ActiveSignal: references of the handler"
    REGISTER = "hsa_amd_signal_async_handler"
    ROLL_BACK = "ActiveSignal: references after a failure"
    PUBLISH = "dispatchBarrierPacket"
    AWAIT = "HostQueue::terminate: awaitCompletion"
    DROP = "HostQueue::terminate: drop the VirtualGPU"
    DESTROY = "~VirtualGPU"
    CREATE = "HwQueueTracker::Create"


class Call(enum.Enum):
    """What is submitted."""

    MARKER = "a marker that completes the batch"
    CALLBACK = "a marker with a blocking callback"
    BLOCK = "the marker that waits for the callback"
    DISPATCH = "a timed dispatch of the batch"


class Stage(enum.Enum):
    """How far ~VirtualGPU has come."""

    FENCE = "releaseGpuMemoryFence"
    QUEUE = "releaseQueue"
    EVENT = "hsa_queue_destroy: wait for the queue's own handler"
    SIGNALS = "~HwQueueTracker"


class TrackerRing(SignalRing):
    """The ring of a tracker, which is empty where there is none."""

    slots = array(RingSlot, maybe(Handle))


def _holds_execution(stream: Stream) -> Bool:
    return stream.pc.is_in(
        Pc.SLOT,
        Pc.WAIT,
        Pc.TIMES,
        Pc.SHARING,
        Pc.REARM,
        Pc.SPARE,
        Pc.BEGIN,
        Pc.REFERENCES,
        Pc.REGISTER,
        Pc.ROLL_BACK,
        Pc.PUBLISH,
    )


class Stream(Record):
    """A HostQueue with its VirtualGPU. Its threads take turns under execution(), so that one `pc` does for all."""

    life = choice(Life)
    pc = choice(Pc)
    call = choice(Call, live_when=_holds_execution)
    draft = maybe(Registration)
    """The registration that the call makes."""
    ring = part(TrackerRing)
    armed = members(Handle)
    """Signals of the ring that are armed for a use which has not begun."""
    retired = members(Handle)
    """Signals of the ring whose last use is over."""
    parked = members(Handle)
    """Signals that a slot gave up because somebody else held them."""
    references = number(0, 4)
    """To the VirtualGPU: the stream's, and one for each handler."""
    handlers = number(0, 4)
    """QueuedAsyncHandlers."""
    event = maybe(Handle)
    """The signal that the open batch's dispatch command holds: that of its last dispatch."""
    markers = members(Handle)
    """Signals that other commands of the open batch hold."""
    listed = members(Handle)
    """Signals whose times the open batch's Timestamp has yet to take."""
    owed = maybe(Handle)
    """The signal of a callback whose second marker is still to come (hipStreamAddCallback)."""
    last = maybe(Registration)
    """The batch of the stream's last command, until it is complete."""
    stranded = members(Handle)
    """Signals of batches that nobody will complete, since their registration failed."""
    last_is_stranded = boolean()
    lost = members(Handle)
    """Signals whose reference by a handler was never given back."""
    stage = choice(Stage, live_when=lambda stream: stream.life == Life.DYING)
    called = boolean()
    """hsa_queue_destroy has called the queue's own handler, which has not run yet."""

    def holds_execution(self) -> Bool:
        """A thread of the application holds execution()."""
        return _holds_execution(self)

    def owns(self, handle: Handle) -> Bool:
        """The tracker holds a reference to the signal."""
        return self.ring.has(handle) | self.parked.has(handle)

    def holds(self, handle: Handle) -> Bool:
        """A command of the open batch, or of one that nobody completes, holds the signal; so does a lost reference."""
        return (self.event == handle) | self.markers.has(handle) | self.stranded.has(handle) | self.lost.has(handle)


class State(Record):
    """The streams of a device, and ROCr's handler thread."""

    gpu = part(HandlerGpu)
    streams = table(HwQueue, Stream)
    registrations = table(Registration, Registered)
    handler = part(HandlerThread)
    owners = array(Handle, index(HwQueue))
    """The batch that a signal is of."""
    left_mapped = boolean()
    """As repaired: an arena that an application thread is to unmap."""


# What several steps ask.


def is_shared(m: Step, s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker holds a reference."""
    held = exists(HwQueue, lambda queue: s.streams[queue].holds(handle)) | exists(
        Registration,
        lambda place: (
            s.registrations[place].is_there()
            & (
                s.registrations[place].held.has(handle)
                | (s.registrations[place].holds_signal & (s.registrations[place].signal == handle))
            )
        ),
    )
    if m.variant("callback-held-by-nobody"):
        return held
    return held | exists(HwQueue, lambda queue: s.streams[queue].owed == handle) | s.gpu.waits_for(handle)


def is_owned(s: State, handle: Handle) -> Bool:
    """Some tracker holds a reference."""
    return exists(HwQueue, lambda queue: s.streams[queue].owns(handle))


def is_retained(s: State, handle: Handle) -> Bool:
    """An entry of ROCr's list keeps the signal's memory."""
    return exists(
        Registration,
        lambda place: s.registrations[place].is_with_rocr() & (s.registrations[place].signal == handle),
    )


def is_satisfied(s: State, place: Registration) -> Bool:
    """The condition that the handler was registered with: below 1, or below 2 for a blocking callback."""
    registered = s.registrations[place]
    value = s.gpu.value(registered.signal.get)
    return (value < 1) | (registered.blocking & (value < 2))


def needs_signal(s: State, place: Registration) -> Bool:
    """The handler is registered, and not through with its signal."""
    registered = s.registrations[place]
    return registered.progress.is_in(Progress.NEW, Progress.LISTED) | (
        (s.handler.running == place)
        & s.handler.pc.is_in(
            HandlerPc.COLLECT,
            HandlerPc.COMPLETE,
            HandlerPc.RELEASE,
            HandlerPc.HW_QUEUE,
            HandlerPc.WAIT_EXECUTION,
            HandlerPc.SUBTRACT,
        )
    )


def running(s: State) -> Registered:
    """The registration whose handler runs; only where one does."""
    return s.registrations[s.handler.running.get]


def has_free(s: State) -> Bool:
    """One more registration can be made. ROCr has no such limit: use it in `m.bound`."""
    return exists(Registration, lambda place: ~s.registrations[place].is_there())


def first_free(s: State) -> Registration:
    """The place that a new registration gets; only where there is one."""
    taken = count(
        Registration,
        lambda place: forall(
            Registration, lambda other: (other.ordinal <= place.ordinal).implies(s.registrations[other].is_there())
        ),
    )
    return Registration.of(taken)
