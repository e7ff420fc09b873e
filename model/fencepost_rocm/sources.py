"""What is known from the description of a change alone, and where the rest of the code is."""

from fencepost import DefinedIn, Described

SIGNAL_BATCHES = Described("description of ROCr's signal batches (#12988)", ("hsa_amd_signal_batch_destroy",))
PART_1 = Described(
    "description of CLR part 1",
    (
        "LegacySignalTracker",
        "IsBusy",
        "Device::CreateSignals",
        "Device::FlushSignalStores",
        "amd::activity_prof::tool_attached",
    ),
)
CPU_WAIT = Described(
    "description of the CPU wait without the lock (#13532)", ("VirtualGPU::CompleteCpuWait", "ProcessSignalTiming")
)
PART_2 = Described(
    "description of CLR part 2 (#13507)",
    (
        "RetiringSignalTracker",
        "AcquireSlot",
        "BeginUse",
        "FlushStores",
        "HwQueueTracker::WaitForIssuedOps",
        "HostQueue::CompleteSubmissionBatch",
    ),
)
LATER_DOORBELL = Described("review of a doorbell left to the next packet (#10377)", ("VirtualGPU::CommitAqlSlots",))

SERIALIZER_FILES = (
    DefinedIn("hsa/profile_serializer.cpp", ("profiler_serializer",)),
    DefinedIn("hsa/hsa_barrier.cpp", ("hsa_barrier",)),
    DefinedIn("hsa/queue.cpp", ("AsyncSignalHandler", "WriteInterceptor", "Queue")),
    DefinedIn("hsa/queue.hpp", ("Queue",)),
    DefinedIn("hsa/queue_controller.cpp", ("QueueController",)),
)
CLR_FILES = (
    DefinedIn("device/rocm/rocvirtual.cpp", ("VirtualGPU", "HwQueueTracker", "Timestamp", "HsaAmdSignalHandler")),
    DefinedIn("device/rocm/rocvirtual.hpp", ("VirtualGPU", "HwQueueTracker", "Timestamp")),
    DefinedIn("device/rocm/rocblit.cpp", ("DmaBlitManager", "KernelBlitManager")),
    DefinedIn("device/rocm/rocdevice.cpp", ("ProfilingSignal::~ProfilingSignal",)),
    DefinedIn("platform/command.cpp", ("Command", "Event")),
    DefinedIn("platform/command.hpp", ("Command", "Event")),
    DefinedIn("platform/commandqueue.cpp", ("HostQueue",)),
    DefinedIn("platform/commandqueue.hpp", ("HostQueue",)),
)
CLR = (SIGNAL_BATCHES, PART_1, CPU_WAIT, PART_2, LATER_DOORBELL, *CLR_FILES)
"""All of CLR and, of ROCr, its signal batches."""
