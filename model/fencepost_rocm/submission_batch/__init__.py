"""The submission batch: commands that stay referenced until a marker's handler completes them.

Work that is submitted to a direct-dispatch queue gathers in a batch. A command of the batch is held, twice over,
and holds its signal, until the batch is complete. A marker takes the batch, and the handler of the marker's signal
completes it; but the marker of a hipEventRecord takes none, so in a loop of record, kernel, record and
hipEventSynchronize, which waits for a signal and nothing else, batch and signals grow until the batch is too long
and is *flushed*: a marker is made for it (`calls.py`).

What a tracker makes of signals that somebody else holds: the retiring one parks them and takes spares
(`retiring_slot.py`); the legacy one creates new ones, and lets go of them (`legacy_slot.py`). Who lets go of
commands, and so of signals, is in `clients.py`; the batches themselves, which the composed model shares, in
`host_queue.py`.

Importing this package declares all its actions, in the order in which a call takes them.
"""

from fencepost_rocm.submission_batch import calls, retiring_slot, legacy_slot, clients  # isort: skip
from fencepost_rocm.submission_batch.declare import protocol
from fencepost_rocm.submission_batch.state import State

__all__ = ["State", "calls", "clients", "legacy_slot", "protocol", "retiring_slot"]
