"""A handler that ROCr runs once a signal has come down, and what must live until it has run.

CLR registers a handler with ROCr for each marker that completes a batch of commands, and for each callback. ROCr
has one thread for all handlers. The handler takes the batch's times, completes and releases its commands, lets a
callback's queue go on, and drops what it holds: since part 2 a reference to the signal, and before that one to the
VirtualGPU. If that is the last one the VirtualGPU dies on the handler thread, where nothing may wait for a handler;
a thread-local tells, and an application thread destroys it later.

- a submission: slot, signal, references, registration, packet (`calls.py`, `tracker.py`, `register.py`);
- the loop of ROCr's handler thread (`rocr.py`);
- the handler (`handler.py`);
- a stream is given up, destroyed and created (`teardown.py`).

Known from the description of part 2, from public sources of CLR before and after the deferral of queue destruction
(#7490), and from ROCr's. Importing this package declares all its actions.
"""

from fencepost_rocm.async_handler import calls, tracker, register, rocr, handler, teardown  # isort: skip
from fencepost_rocm.async_handler.declare import protocol
from fencepost_rocm.async_handler.state import State

__all__ = ["State", "calls", "handler", "protocol", "register", "rocr", "teardown", "tracker"]
