"""The CPU wait of a small batch holds what it must, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestCpuWait(ProtocolTests):
    subject = "cpu-wait"
    depth = 18
