"""Several operations that complete one signal, when ROCr takes some of them and then refuses one.

A copy of a rectangle line by line, or a batch of prefetches, takes one signal from the tracker, armed with
the number of operations. ROCr may refuse one of them. Then the command fails and the slot is rolled back,
though operations that were issued have still to decrement the signal. The merged change waits for them
first (`WaitForIssuedOps`), with either tracker.

- a call takes a slot and issues its operations (`submit.py`);
- a slot of LegacySignalTracker (`legacy_slot.py`) or of RetiringSignalTracker (`retiring_slot.py`);
- ROCr refuses: wait, roll back, go on or give up (`failure.py`);
- a command holds its signal, and another thread waits for it (`clients.py`).

What each tracker does beyond that is in `legacy` and `retiring`. Known from the change's description and from
public sources of CLR before it. Importing this package declares all its actions.
"""

from fencepost_rocm.issued_ops import submit, legacy_slot, retiring_slot, failure, clients  # isort: skip
from fencepost_rocm.issued_ops.declare import protocol
from fencepost_rocm.issued_ops.state import State

__all__ = ["State", "clients", "failure", "legacy_slot", "protocol", "retiring_slot", "submit"]
