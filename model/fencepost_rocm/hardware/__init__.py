"""The hardware and the run-time substrate, written once and instantiated by every protocol."""

from fencepost_rocm.hardware.actors import APP, ASYNC_HANDLER, MEMORY, PACKET_PROCESSOR, PEER, SDMA, TOOL
from fencepost_rocm.hardware.gpu import Gpu, GpuWithoutReadIndex, host_sees_done
from fencepost_rocm.hardware.locks import Mutex
from fencepost_rocm.hardware.packets import AqlQueue, Packet, PacketKind, Phase
from fencepost_rocm.hardware.signals import Signal, SignalPool
from fencepost_rocm.hardware.sorts import Handle, HwQueue, PacketSlot, Thread

__all__ = [
    "APP",
    "ASYNC_HANDLER",
    "MEMORY",
    "PACKET_PROCESSOR",
    "PEER",
    "SDMA",
    "TOOL",
    "AqlQueue",
    "Gpu",
    "GpuWithoutReadIndex",
    "Handle",
    "HwQueue",
    "Mutex",
    "Packet",
    "PacketKind",
    "PacketSlot",
    "Phase",
    "Signal",
    "SignalPool",
    "Thread",
    "host_sees_done",
]
