"""Timestamps and timing-only signals hold what they must, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestTimingPool(ProtocolTests):
    subject = "timing-pool"
    depth = 20
