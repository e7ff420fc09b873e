"""ROCr's thread for handlers: it goes through its list, and then takes over what was registered meanwhile.

A pass looks at each entry once. What is registered during a pass waits for the next one, and so does an entry whose
signal comes down after the pass has looked at it. The thread sleeps as long as no entry is satisfied and nothing is
new. A hardware queue has an entry of its own in the list, by which its destruction is synchronized.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Step, exists
from fencepost_rocm.async_handler.declare import protocol
from fencepost_rocm.async_handler.references import free, is_referenced
from fencepost_rocm.async_handler.state import HandlerPc, Progress, Registration, State, is_retained, is_satisfied
from fencepost_rocm.hardware import ASYNC_HANDLER, HwQueue


@protocol.action(by=ASYNC_HANDLER, src="Runtime::AsyncEventsLoop (insert new signals, wait)")
def begin_pass(m: Step, s: State) -> None:
    """Wake up, take over what is new, and begin to go through the list."""
    m.require(s.handler.pc == HandlerPc.LOOP, "no handler runs")
    m.require(~exists(Registration, lambda place: _has_turn(s, place)), "pass is over")
    m.require(
        exists(
            Registration,
            lambda place: (
                (s.registrations[place].progress == Progress.NEW)
                | ((s.registrations[place].progress == Progress.LISTED) & is_satisfied(s, place))
            ),
        ),
        "something new, or satisfied",
    )
    for place in m.each(Registration):
        registered = s.registrations[place]
        with m.when(registered.progress.is_in(Progress.NEW, Progress.LISTED)):
            registered.progress = Progress.LISTED
            registered.turn = True


def _has_turn(s: State, place: Registration) -> Bool:
    return (s.registrations[place].progress == Progress.LISTED) & s.registrations[place].turn


@protocol.action(by=ASYNC_HANDLER, src="Runtime::AsyncEventsLoop (CheckSignalCondition)")
def look_in_vain(m: Step, s: State, place: Registration) -> None:
    """Look at an entry that is not satisfied."""
    m.require(s.handler.pc == HandlerPc.LOOP, "no handler runs")
    m.require(_has_turn(s, place), "its turn")
    m.require(~is_satisfied(s, place), "not satisfied")
    s.registrations[place].turn = False


@protocol.action(by=ASYNC_HANDLER, src="Runtime::AsyncEventsLoop (processEvent), HsaAmdSignalHandler")
def start_handler(m: Step, s: State, place: Registration) -> None:
    """An entry is satisfied: call its handler, which says of the thread that it runs one."""
    registered = s.registrations[place]
    m.require(s.handler.pc == HandlerPc.LOOP, "no handler runs")
    m.require(_has_turn(s, place), "its turn")
    m.require(is_satisfied(s, place), "satisfied")
    m.note("its handler is called", of=registered.signal.get)
    registered.progress = Progress.RUNNING
    s.handler.running = place
    s.handler.in_handler = True
    s.handler.pc = HandlerPc.COLLECT


@protocol.action(by=ASYNC_HANDLER, src="Runtime::AsyncEventsLoop (processEvent: Signal::Release)")
def return_false(m: Step, s: State) -> None:
    """The handler returns, and ROCr lets the signal go; if nobody else has it any more its memory is free."""
    m.require(s.handler.pc == HandlerPc.RETURN, "returns")
    place = s.handler.running.get
    signal = s.registrations[place].signal.get
    m.note("its handler has returned", of=signal)
    m.clear(s.registrations[place])
    with m.when(~is_referenced(m, s, signal) & ~is_retained(s, signal)):
        free(m, s, signal, on_handler_thread=True)
    s.handler.running = None
    s.handler.in_handler = False
    s.handler.pc = HandlerPc.LOOP


@protocol.action(by=ASYNC_HANDLER, src="AqlQueue::DynamicQueueEventsHandler", fair=Fairness.STRONG)
def run_queue_handler(m: Step, s: State, queue: HwQueue) -> None:
    """The entry of a hardware queue that is being destroyed: tell hsa_queue_destroy that no handler runs for it.

    Every pass looks at it, which strong fairness stands for.
    """
    m.require(s.handler.pc == HandlerPc.LOOP, "no handler runs")
    m.require(s.streams[queue].called, "called")
    s.streams[queue].called = False
