"""Systems whose answer a person can see: who starves, who livelocks, and what only a bound stops."""

from __future__ import annotations

from fencepost import (
    Actor,
    Bool,
    Fairness,
    Index,
    Kind,
    Properties,
    Protocol,
    Record,
    Size,
    Step,
    array,
    boolean,
    ite,
    number,
    table,
)
from fencepost.ir.model import Model


class Thread(Index):
    """Threads."""


THREADS = Size("threads", Thread, default=2, low=1, high=4)
THREAD = Actor("thread", lane="thread")


class Worker(Record):
    wants = boolean()
    has = boolean()


class Mutex(Record):
    workers = table(Thread, Worker)
    held = boolean()


def mutex(fair: Fairness) -> Model:
    """Threads that want one lock again and again; taking it is as fair as said."""
    protocol = Protocol("mutex", state=Mutex, sizes=[THREADS])

    @protocol.action(by=THREAD, src="f", kind=Kind.ENVIRONMENT)
    def want(m: Step, s: Mutex, thread: Thread) -> None:
        m.require(~s.workers[thread].wants & ~s.workers[thread].has, "elsewhere")
        s.workers[thread].wants = True

    @protocol.action(by=THREAD, src="f", fair=fair)
    def take(m: Step, s: Mutex, thread: Thread) -> None:
        m.require(s.workers[thread].wants, "wants it")
        m.require(~s.held, "free")
        s.held = True
        s.workers[thread].wants = False
        s.workers[thread].has = True

    @protocol.action(by=THREAD, src="f")
    def release(m: Step, s: Mutex, thread: Thread) -> None:
        m.require(s.workers[thread].has, "has it")
        s.held = False
        s.workers[thread].has = False

    properties = Properties("mutex")

    @properties.response("gets-it", protects="f", goal=lambda s, thread: s.workers[thread].has)
    def gets_it(s: Mutex, thread: Thread) -> Bool:
        """Whoever wants the lock gets it."""
        return s.workers[thread].wants

    @properties.response("never-held-for-ever", protects="f", goal=lambda s: ~s.held)
    def never_held_for_ever(s: Mutex) -> Bool:
        """The lock is released."""
        return s.held

    return protocol.build(properties=[properties])


class Corridor(Record):
    left = boolean()
    mine = boolean()
    passed = boolean()


def corridor(*, gives_way: bool) -> Model:
    """Two that meet: each steps aside as long as they face each other, or only one of them does."""
    protocol = Protocol("corridor", state=Corridor)

    @protocol.action(by=Actor("first"), src="f")
    def first(m: Step, s: Corridor) -> None:
        m.require(s.left == s.mine, "face to face")
        m.require(~s.passed, "not by")
        s.left = ~s.left
        if not gives_way:
            s.mine = ~s.mine

    @protocol.action(by=Actor("second"), src="f")
    def go_by(m: Step, s: Corridor) -> None:
        m.require(s.left != s.mine, "way free")
        s.passed = True

    properties = Properties("corridor")

    @properties.response("gets-by", protects="f", goal=lambda s: s.passed)
    def gets_by(s: Corridor) -> Bool:
        """They get past each other."""
        return ~s.passed

    return protocol.build(properties=[properties])


class Handler(Record):
    queued = boolean()
    running = boolean()
    signal = number(0, 1, 1)
    done = boolean()


def handler(*, armed_again: bool) -> Model:
    """A handler that queues itself again as long as its signal is not done; somebody may arm it for ever."""
    protocol = Protocol("handler", state=Handler)

    @protocol.action(by=Actor("host"), src="f", kind=Kind.ENVIRONMENT)
    def register(m: Step, s: Handler) -> None:
        m.require(~s.queued & ~s.running & ~s.done, "new")
        s.queued = True

    @protocol.action(by=Actor("device"), src="f")
    def complete(m: Step, s: Handler) -> None:
        m.require(s.signal == 1, "armed")
        s.signal = 0

    @protocol.action(by=Actor("handler"), src="f")
    def start(m: Step, s: Handler) -> None:
        m.require(s.queued, "queued")
        s.queued = False
        s.running = True
        if armed_again:
            s.signal = 1

    @protocol.action(by=Actor("handler"), src="f")
    def finish(m: Step, s: Handler) -> None:
        m.require(s.running, "running")
        s.running = False
        with m.when(s.signal == 0):
            s.done = True
        with m.otherwise():
            s.queued = True

    properties = Properties("handler")

    @properties.response("handler-ends", protects="f", goal=lambda s: s.done)
    def handler_ends(s: Handler) -> Bool:
        """A handler that was queued ends."""
        return s.queued

    return protocol.build(properties=[properties])


class Count(Record):
    sent = number(0, 2)
    answered = boolean()


def counting(*, bounded: bool, fewer_will_do: bool = False) -> Model:
    """A sender that only the model's bound stops, and an answer that comes after more messages than that.

    Or it may come after fewer, but nobody is owed that.
    """
    protocol = Protocol("counting", state=Count)

    @protocol.action(by=Actor("sender"), src="f")
    def send(m: Step, s: Count) -> None:
        if bounded:
            m.bound(s.sent < 2, "few")
        else:
            m.require(s.sent < 2, "few")
        s.sent = s.sent + 1

    @protocol.action(by=Actor("receiver"), src="f")
    def answer(m: Step, s: Count) -> None:
        m.require(s.sent > 2, "many")
        s.answered = True

    if fewer_will_do:

        @protocol.action(by=Actor("receiver"), src="f", kind=Kind.ENVIRONMENT)
        def answer_soon(m: Step, s: Count) -> None:
            m.require(s.sent > 0, "one")
            s.answered = True

    properties = Properties("counting")

    @properties.response("is-answered", protects="f", goal=lambda s: s.answered)
    def is_answered(s: Count) -> Bool:
        """A message is answered."""
        return s.sent > 0

    return protocol.build(properties=[properties])


class Spot(Record):
    at = number(0, 2)
    out = boolean()


def detour(*, often: bool) -> Model:
    """From 0 to 1 and back, or around by 2, where there is a door; whoever comes there again and again is owed it."""
    protocol = Protocol("detour", state=Spot)

    @protocol.action(by=Actor("walker"), src="f")
    def go(m: Step, s: Spot, around: Bool) -> None:
        m.require(~s.out, "inside")
        if often:
            m.require(around | (s.at != 1), "the long way only")
        s.at = ite(s.at == 0, 1, ite((s.at == 1) & around, 2, 0))

    @protocol.action(by=Actor("walker"), src="f", fair=Fairness.STRONG)
    def leave(m: Step, s: Spot) -> None:
        m.require(~s.out, "inside")
        m.require(s.at == 2, "at the door")
        s.out = True

    properties = Properties("detour")

    @properties.response("gets-out", protects="f", goal=lambda s: s.out)
    def gets_out(s: Spot) -> Bool:
        """The walker gets out."""
        return ~s.out

    return protocol.build(properties=[properties])


class Lights(Record):
    lit = array(Thread, boolean())


def chooser(*, who: bool) -> Model:
    """A step with a choice: of who takes it, each of whom is owed a turn, or of what is done, which nobody is owed."""
    protocol = Protocol("chooser", state=Lights, sizes=[THREADS])

    def light(m: Step, s: Lights, thread: Thread) -> None:
        s.lit[thread] = ~s.lit[thread]

    def some(m: Step, s: Lights, second: Bool) -> None:
        first, last = Thread.at(0), Thread.last()
        s.lit[first] = ite(second, s.lit[first], ~s.lit[first])
        s.lit[last] = ite(second, ~s.lit[last], s.lit[last])

    protocol.action(by=Actor("thread"), src="f", name="light")(light if who else some)
    properties = Properties("chooser")

    @properties.response("lights-the-last", protects="f", goal=lambda s: s.lit[Thread.last()])
    def lights_the_last(s: Lights) -> Bool:
        """The last one is lit."""
        return ~s.lit[Thread.last()]

    return protocol.build(properties=[properties])


def every() -> list[Model]:
    """All of these."""
    return [
        *map(mutex, Fairness),
        *(corridor(gives_way=yes) for yes in (False, True)),
        *(handler(armed_again=yes) for yes in (False, True)),
        *(counting(bounded=yes) for yes in (False, True)),
        *(detour(often=yes) for yes in (False, True)),
        *(chooser(who=yes) for yes in (False, True)),
    ]
