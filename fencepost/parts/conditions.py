"""What threads sleep on: a condition variable, and an event that resets itself.

Neither remembers a wake that came too early in the same way. A condition variable forgets it: who is
not asleep yet is not woken. An event remembers one, and only one, however often it was set.
"""

from __future__ import annotations

from fencepost import Actor, Bool, Component, Kind, Record, Step, action, boolean, members
from fencepost.parts.locks import Mutex
from fencepost.parts.sorts import Thread

SCHEDULER = Actor("scheduler", lane="thread")
"""The part of the operating system that may wake a thread without a reason."""


class ConditionVariable(Component):
    """A condition variable. Who is woken takes the lock again before it goes on, and looks at its condition again.

    A wait is two steps: `sleep`, which gives the lock back, and `go_on`, once somebody woke the thread
    and the lock is free. A thread may also wake by itself.
    """

    asleep = members(Thread)
    woken = members(Thread)
    """Those that were woken and have not got the lock yet."""

    def sleep(self, m: Step, thread: Thread, lock: Mutex) -> None:
        """Give the lock back and sleep, in one step."""
        lock.release(m, thread)
        self.asleep = self.asleep.adding(thread)

    def sleep_without_lock(self, m: Step, thread: Thread) -> None:
        """Sleep on a condition that was looked at without the lock, or after it was given back."""
        self.asleep = self.asleep.adding(thread)

    def can_go_on(self, thread: Thread, lock: Mutex) -> Bool:
        """The thread was woken, and the lock is free: the guard of the step that goes on."""
        return self.woken.has(thread) & lock.is_free()

    def go_on(self, m: Step, thread: Thread, lock: Mutex) -> None:
        """Come back from the wait, with the lock."""
        self.woken = self.woken.removing(thread)
        lock.acquire(m, thread)

    def may_notify(self, thread: Thread) -> Bool:
        """`notify_one` may choose this thread: the guard of a step that has the thread for a parameter.

        Where nobody sleeps, the first thread stands for nobody.
        """
        return self.asleep.has(thread) | (self.asleep.is_empty & (thread == Thread.at(0)))

    def notify_one(self, m: Step, thread: Thread) -> None:
        """Wake the thread, if it sleeps; a wake that finds nobody asleep is lost."""
        with m.when(self.asleep.has(thread)):
            self.asleep = self.asleep.removing(thread)
            self.woken = self.woken.adding(thread)

    def notify_all(self, m: Step) -> None:
        """Wake all that sleep."""
        for thread in m.each(Thread):
            with m.when(self.asleep.has(thread)):
                self.asleep = self.asleep.removing(thread)
                self.woken = self.woken.adding(thread)

    @action(by=SCHEDULER, src="condition variable: a spurious wake-up", kind=Kind.ENVIRONMENT)
    def wake_by_itself(self, m: Step, thread: Thread) -> None:
        """A thread wakes though nobody woke it."""
        m.require(self.asleep.has(thread), "asleep")
        self.asleep = self.asleep.removing(thread)
        self.woken = self.woken.adding(thread)


class AutoResetEvent(Record):
    """An event that lets one waiter through and is reset by that."""

    is_set = boolean()
    dropped = boolean(ghost=True)
    """It was set while it was set: the second time wakes nobody."""

    def set(self, m: Step) -> None:
        """Let one waiter through, now or later."""
        self.dropped = self.dropped | self.is_set
        self.is_set = True

    def reset(self, m: Step) -> None:
        """Forget that it was set."""
        self.is_set = False

    def can_pass(self) -> Bool:
        """A wait returns: the guard of the step behind it."""
        return self.is_set

    def take(self, m: Step) -> None:
        """Return from the wait; who else waits goes on waiting."""
        self.is_set = False
