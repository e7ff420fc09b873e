"""The retiring tracker under a stream that is synchronized without the lock: who waits holds the signal meanwhile.

All of `retiring`, with another way to synchronize. A marker is enqueued under execution(), takes a signal of the
tracker, and holds it; then a thread waits for it without the lock, while others submit until the ring wraps. Once
the wait is over, that thread takes execution() and tells the tracker what it saw complete. Another thread may
synchronize with the same marker. The thread inside a call is the actor `app`, whichever thread that is.
"""

from fencepost_rocm.retiring_cpu_wait import marker, waiter  # isort: skip
from fencepost_rocm.retiring_cpu_wait.declare import protocol
from fencepost_rocm.retiring_cpu_wait.state import State

__all__ = ["State", "marker", "protocol", "waiter"]
