"""Operations that share a signal hold what they must, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestIssuedOps(ProtocolTests):
    subject = "issued-ops"
