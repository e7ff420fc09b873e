"""An event loop that looks for new handlers and then sleeps, while a registration skips the wake."""

from __future__ import annotations

import enum

from fencepost import Actor, Bool, Kind, Properties, Protocol, Record, Step, Variant, boolean, choice

APP = Actor("app")
LOOP = Actor("event loop")


class Loop(enum.Enum):
    """Where the event loop is."""

    LOOKING = "about to look for new handlers"
    FOUND_NONE = "has found none, and is about to sleep"
    ASLEEP = "in the kernel"


class App(enum.Enum):
    """Where the registering thread is."""

    OUTSIDE = "not in a call"
    REGISTERED = "the handler is on the list; the loop has not been told"


class State(Record):
    """The list of new handlers, and what the two know of each other."""

    app = choice(App)
    loop = choice(Loop)
    new_handler = boolean()
    """The list of new handlers has one."""
    in_wait = boolean()
    """The loop has said that it waits: what the registration looks at."""
    notified = boolean()
    """The kernel has a notification that no wait has returned for; it keeps one for the next wait."""


protocol = Protocol(
    "skipped-wake",
    state=State,
    variants=[Variant("as-reported", "wakes the loop only if that has said that it waits", breaks="no-hang")],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=APP, src="registration: append", kind=Kind.ENVIRONMENT)
def register(m: Step, s: State) -> None:
    """Put the handler on the list, under the list's lock."""
    m.require(s.app == App.OUTSIDE, "not in a call")
    m.require(~s.new_handler, "list is empty")
    s.new_handler = True
    s.app = App.REGISTERED


@protocol.action(by=APP, src="registration: wake the loop")
def wake(m: Step, s: State) -> None:
    """Notify the kernel; as reported, only where the loop is known to wait."""
    m.require(s.app == App.REGISTERED, "registered")
    if m.variant("as-reported"):
        with m.when(s.in_wait):
            s.notified = True
    else:
        s.notified = True
    s.app = App.OUTSIDE


@protocol.action(by=LOOP, src="event loop: take new handlers")
def look(m: Step, s: State) -> None:
    """Take what is on the list; if nothing is, go to sleep next."""
    m.require(s.loop == Loop.LOOKING, "looking")
    with m.when(s.new_handler):
        s.new_handler = False
    with m.otherwise():
        s.loop = Loop.FOUND_NONE


@protocol.action(by=LOOP, src="event loop: enter the wait")
def sleep(m: Step, s: State) -> None:
    """Say that it waits, and sleep."""
    m.require(s.loop == Loop.FOUND_NONE, "found none")
    s.in_wait = True
    s.loop = Loop.ASLEEP


@protocol.action(by=LOOP, src="event loop: return from the wait")
def return_from_wait(m: Step, s: State) -> None:
    """The kernel had a notification, or gets one."""
    m.require(s.loop == Loop.ASLEEP, "asleep")
    m.require(s.notified, "notified")
    s.notified = False
    s.in_wait = False
    s.loop = Loop.LOOKING


properties = Properties("skipped-wake")


@properties.hang("no-hang", protects="registration: wake the loop")
def a_handler_waits(s: State) -> Bool:
    """While a new handler is on the list, something other than a new call can go on."""
    return s.new_handler
