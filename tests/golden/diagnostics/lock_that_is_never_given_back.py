# lock_that_is_never_given_back.py:26: lock.owner is taken, and no action gives it back; call release(m, thread) where the critical section ends
from fencepost import Actor, Fairness, Protocol, Record, Size, Step, boolean, part
from fencepost.parts import Mutex, Thread


class State(Record):
    lock = part(Mutex)
    counted = boolean()


THREAD = Actor("thread", lane="thread")
protocol = Protocol(
    "forgetful",
    state=State,
    sizes=[Size("threads", Thread, default=2)],
)


@protocol.action(by=THREAD, src="lock", fair=Fairness.STRONG)
def count(m: Step, s: State, thread: Thread) -> None:
    m.require(s.lock.is_free(), "free")
    s.counted = True
    # Nobody else is in here
    # from now on:

    s.lock.acquire(m, thread)
