"""Who takes steps."""

from fencepost import Actor

APP = Actor("app", lane="thread")
"""A host thread of the application, inside the runtime."""

ASYNC_HANDLER = Actor("async handler")
"""The one thread on which ROCr runs the handlers of signals."""

PACKET_PROCESSOR = Actor("packet processor", lane="queue")
"""The packet processor of one hardware queue, with the kernels it has in flight."""

SDMA = Actor("sdma")
"""A copy engine."""

PEER = Actor("peer")
"""The packet processor of another device, which reads this one's memory over the fabric."""

TOOL = Actor("tool")
"""A profiler's host thread."""

MEMORY = Actor("memory")
"""Store buffers and drains on the way from a core to a signal."""
