"""The retiring tracker under a stream's submission batches: what it parks, and when that comes back.

All of `retiring`, with three differences. A dispatch is the packet of a record marker, whose command the batch
holds, and with it the signal; a kernel has no signal. A batch that has become too long gets a marker in the same
call, and the handler of the marker's signal completes its commands, one by one. And Reclaim looks at what is
parked before it makes new signals.
"""

from fencepost_rocm.retiring_submission_batch import steps
from fencepost_rocm.retiring_submission_batch.declare import protocol
from fencepost_rocm.retiring_submission_batch.state import State

__all__ = ["State", "protocol", "steps"]
