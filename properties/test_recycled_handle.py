"""The recycled handle holds what it must, and its variant does not."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestRecycledHandle(ProtocolTests):
    subject = "recycled-handle"
    depth = 23  # every state
