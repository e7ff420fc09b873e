"""A pool in chunks holds what it must, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestChunks(ProtocolTests):
    subject = "chunks"
    depth = 12
