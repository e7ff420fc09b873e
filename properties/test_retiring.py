"""The retiring signal tracker holds what it must, and each of its variants breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestRetiring(ProtocolTests):
    subject = "retiring"
