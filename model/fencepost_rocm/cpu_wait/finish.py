"""HostQueue::finish, and awaitCompletion for a command without a signal.

It takes execution() for each thing it asks, and lets go of it in between; another thread may come first.
"""

from __future__ import annotations

from fencepost import Fairness, Kind, Step, exists
from fencepost_rocm.cpu_wait.declare import protocol
from fencepost_rocm.cpu_wait.references import let_go
from fencepost_rocm.cpu_wait.state import CommandPhase, Pc, State
from fencepost_rocm.hardware import APP, PacketSlot, Thread, host_sees_done


@protocol.action(by=APP, src="HostQueue::finish (getLastQueuedCommand)", kind=Kind.ENVIRONMENT)
def call_finish(m: Step, s: State, thread: Thread) -> None:
    """Begin to synchronize: take the last command, under execution(). Without one there is nothing to wait for."""
    me = s.threads[thread]
    m.require(me.pc == Pc.IDLE, "not in a call")
    m.require(~s.stream.error, "no error (HIP_INIT_API)")
    m.require(s.stream.execution.is_free(), "execution() free")
    m.require(s.stream.last.is_some, "there is a last command")
    m.note("synchronizes; the last command is {}", s.stream.last.get)
    me.command = s.stream.last
    packets = s.gpu.ring().packets
    for slot in m.each(PacketSlot):
        with m.when(packets[slot].is_there()):
            packets[slot].before = packets[slot].before.adding(thread)
    me.pc = Pc.SIZE


@protocol.action(by=APP, src="HostQueue::finish (GetSubmissionBatchSize)", fair=Fairness.STRONG)
def look_at_batch(m: Step, s: State, thread: Thread) -> None:
    """Under execution() once more, ask whether anything is in the batch."""
    m.require(s.threads[thread].pc == Pc.SIZE, "batch size")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.threads[thread].pc = Pc.FENCE
    with m.when(~s.stream.batch.is_empty):
        s.threads[thread].pc = Pc.RENEW


@protocol.action(by=APP, src="HostQueue::finish (isFenceDirty)")
def look_at_fence(m: Step, s: State, thread: Thread) -> None:
    """Without the lock, ask whether a kernel came after the last barrier."""
    m.require(s.threads[thread].pc == Pc.FENCE, "fence")
    s.threads[thread].pc = Pc.READY
    with m.when(s.stream.pending):
        s.threads[thread].pc = Pc.RENEW


@protocol.action(by=APP, src="HostQueue::finish (new Marker)")
def renew(m: Step, s: State, thread: Thread) -> None:
    """A marker will be waited for: let go of the last command."""
    me = s.threads[thread]
    m.require(me.pc == Pc.RENEW, "a new marker")
    before = me.command.get
    me.command = None
    let_go(m, s, before)
    me.pc = Pc.ENQUEUE


@protocol.action(by=APP, src="HostQueue::finish (IsHwEventReady)")
def wait_for_event(m: Step, s: State, thread: Thread) -> None:
    """No marker is needed, and the last command has a signal: wait for that, without a lock."""
    me = s.threads[thread]
    m.require(me.pc == Pc.READY, "last command")
    command = s.commands[me.command.get]
    m.require(command.hw_event.is_some, "has a signal")
    if not m.variant("skips-another-threads-marker"):
        m.require(host_sees_done(s.gpu.value(command.hw_event.get)) | s.stream.error, "complete, or an error")
    me.pc = Pc.CLEAR


@protocol.action(by=APP, src="HostQueue::finish (awaitCompletion)")
def await_completion(m: Step, s: State, thread: Thread) -> None:
    """The last command has no signal: another thread's marker took it from the batch meanwhile."""
    me = s.threads[thread]
    m.require(me.pc == Pc.READY, "last command")
    command = s.commands[me.command.get]
    m.require(command.hw_event.is_none, "has no signal")
    me.pc = Pc.NOTIFY_LOCK
    with m.when(command.phase == CommandPhase.COMPLETE):
        me.pc = Pc.CLEAR


@protocol.action(by=APP, src="Event::notifyCmdQueue (notify_lock_)", fair=Fairness.STRONG)
def notify_queue(m: Step, s: State, thread: Thread) -> None:
    """Take notify_lock_. Who comes first sends a marker, and holds the lock while it does."""
    me = s.threads[thread]
    m.require(me.pc == Pc.NOTIFY_LOCK, "notify_lock_")
    command = s.commands[me.command.get]
    m.require(command.notify_lock.is_none, "notify_lock_ free")
    me.pc = Pc.STATUS
    with m.when((command.phase == CommandPhase.SUBMITTED) & ~command.notified):
        m.note("sends a marker for command {}, holding its notify_lock_", me.command.get)
        command.notified = True
        command.notify_lock = thread
        me.pc = Pc.ENQUEUE


@protocol.action(by=APP, src="Event::notifyCmdQueue (notify_event_)")
def end_notify(m: Step, s: State, thread: Thread) -> None:
    """Let notify_lock_ go: once the marker is enqueued, which for a CPU wait is once its batch is complete."""
    me = s.threads[thread]
    m.require(me.pc == Pc.NOTIFIED, "marker enqueued")
    s.commands[me.command.get].notify_lock = None
    me.pc = Pc.WAIT if m.variant("repaired") else Pc.STATUS


@protocol.action(by=APP, src="Event::awaitCompletion (status)")
def wait_for_status(m: Step, s: State, thread: Thread) -> None:
    """Wait until somebody has completed the command."""
    me = s.threads[thread]
    m.require(me.pc == Pc.STATUS, "status")
    m.require(s.commands[me.command.get].phase == CommandPhase.COMPLETE, "complete")
    me.pc = Pc.CLEAR


@protocol.action(by=APP, src="HostQueue::finish (lastEnqueueCommand_)", fair=Fairness.STRONG)
def clear_last(m: Step, s: State, thread: Thread) -> None:
    """Under execution(): if nothing came after it, the stream has no last command any more."""
    me = s.threads[thread]
    m.require(me.pc == Pc.CLEAR, "last command")
    m.require(s.stream.execution.is_free(), "execution() free")
    with m.when(s.stream.last == me.command):
        s.stream.last = None
    me.pc = Pc.RELEASE


@protocol.action(by=APP, src="HostQueue::finish (release)")
def end_finish(m: Step, s: State, thread: Thread) -> None:
    """Drop the references and return."""
    me = s.threads[thread]
    m.require(me.pc == Pc.RELEASE, "returns")
    m.note("has synchronized")
    packets = s.gpu.ring().packets
    s.stream.returned_early = s.stream.returned_early | (
        ~s.stream.error & exists(PacketSlot, lambda slot: packets[slot].is_there() & packets[slot].before.has(thread))
    )
    for slot in m.each(PacketSlot):
        packets[slot].before = packets[slot].before.removing(thread)
    command, marker = me.command, me.marker
    me.command = None
    me.marker = None
    let_go(m, s, command.get)
    with m.when(marker.is_some & (marker != command)):
        let_go(m, s, marker.get)
    me.pc = Pc.IDLE
