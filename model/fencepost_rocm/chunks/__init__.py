"""Memory for kernel arguments and for staged copies, handed out from a ring of chunks, each with a signal.

`ManagedBuffer` splits a pool in chunks. Room is taken from the active one until the next piece does not fit.
Then a barrier packet goes behind everything that reads the chunk, and completes the chunk's signal; the next
chunk becomes the active one, once its own signal says that nobody reads it any more. The chunk's signal is
armed anew, by a direct store where signals are in device memory (part 2).

- a call takes room, and where a chunk is full moves on to the next one, holding execution() (`acquire.py`);
- a kernel, or a staged copy, that reads what was taken (`submit.py`);
- a synchronization sets the pool of arguments back to its beginning (`reset.py`).

One protocol stands for either pool: that of kernel arguments, which kernels read and which is set back, and that
of staged copies, which an SDMA engine reads. Known from the description of part 2 and from public sources of CLR
before it. Importing this package declares all its actions.
"""

from fencepost_rocm.chunks import acquire, submit, reset  # isort: skip
from fencepost_rocm.chunks.declare import protocol
from fencepost_rocm.chunks.state import State

__all__ = ["State", "acquire", "protocol", "reset", "submit"]
