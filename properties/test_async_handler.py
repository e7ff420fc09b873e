"""The async handler keeps what it needs and destroys nothing, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestAsyncHandler(ProtocolTests):
    subject = "async-handler"
    depth = 24
