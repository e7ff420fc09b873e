"""Arming: a store of 1 to a signal that is known to be complete, and FlushStores."""

from __future__ import annotations

from fencepost import Bool, Kind, Step, forall
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, host_sees_done
from fencepost_rocm.hardware.visibility import Core
from fencepost_rocm.store_visibility.declare import HOST, protocol
from fencepost_rocm.store_visibility.state import (
    Life,
    Pc,
    Producer,
    SlotPhase,
    State,
    host_sees,
    in_submission,
    is_owed,
    is_waited_for,
    rings_in_device,
    signals_in_device,
)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (arm), ResetHwEvents", kind=Kind.ENVIRONMENT)
def arm(m: Step, s: State, core: Core, handle: Handle) -> None:
    """Store 1 to a signal that is complete and that nobody waits for."""
    signal = s.device.signals[handle]
    thread = s.producers[core]
    m.require(thread.pc == Pc.IDLE, "not in a call")
    m.require(signal.life == Life.COMPLETE, "complete")
    m.require(~is_waited_for(s, handle), "nobody waits")
    m.note("ARMED (stores 1)", of=handle)
    if signals_in_device(m):
        s.device.store_to_signal(m, core, handle)
        signal.life = Life.STORED
        thread.stored = thread.stored.adding(handle)
    else:
        signal.value = 1
        signal.life = Life.ARMED


@protocol.action(by=HOST, src="Device::FlushSignalStores (store fence)")
def fence_stores(m: Step, s: State, core: Core) -> None:
    """FlushStores: fence the stores of this core. Then flush the HDP, or hand the signals out."""
    thread = s.producers[core]
    m.require(thread.pc == Pc.IDLE, "not in a call")
    m.require(signals_in_device(m), "signals in device memory")
    m.require(~thread.stored.is_empty, "has stored")
    if not m.variant("fence-elided"):
        m.require(s.device.can_fence(m, core), "room on the bus")
        s.device.fence(m, core)
    if is_flush_due(m):
        thread.pc = Pc.FLUSH
    else:
        _hand_out(m, s, thread)


def is_flush_due(m: Step) -> bool:
    """FlushStores flushes the HDP: where rings are in system memory."""
    if m.variant("flush-elided"):
        return False
    return not rings_in_device(m) or m.variant("flush-for-peers")


@protocol.action(by=HOST, src="Device::FlushSignalStores (HDP flush)")
def flush_stores(m: Step, s: State, core: Core) -> None:
    """The HDP is flushed: the signals can be handed out."""
    thread = s.producers[core]
    m.require(signals_in_device(m) and is_flush_due(m), "a flush is due")
    m.require(thread.pc == Pc.FLUSH, "flushes")
    m.require(s.device.is_flushed(), "all stores landed")
    _hand_out(m, s, thread)
    thread.pc = Pc.IDLE


def _hand_out(m: Step, s: State, thread: Producer) -> None:
    for handle in m.each(Handle):
        with m.when(thread.stored.has(handle)):
            s.device.signals[handle].life = Life.ARMED
    thread.stored = []


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (confirm), CpuWaitForSignal")
def see_complete(m: Step, s: State, core: Core, handle: Handle) -> None:
    """A load of the signal gives less than 1: its use is complete."""
    signal = s.device.signals[handle]
    m.require(s.producers[core].pc == Pc.IDLE, "not in a call")
    m.require((signal.life == Life.USED) & ~in_submission(s, handle), "in use")
    complete = host_sees_done(host_sees(s, core, handle))
    if m.variant("read-index-is-proof"):
        complete = complete | _read_index_passed(s, handle)
    m.require(complete, "complete")
    s.host_passed_early = s.host_passed_early | is_owed(s, handle)
    m.note("seen complete", of=handle)
    signal.life = Life.COMPLETE


def _read_index_passed(s: State, handle: Handle) -> Bool:
    """The packet is launched, and the read index has passed everything that is."""
    nothing_behind = forall(
        HwQueue,
        PacketSlot,
        lambda queue, slot: s.device.rings[queue].slots[slot].phase != SlotPhase.LAUNCHED,
    )
    return s.device.signals[handle].running & nothing_behind
