"""The retiring tracker under a CPU wait holds what it must, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestRetiringCpuWait(ProtocolTests):
    subject = "retiring-cpu-wait"
    depth = 20
