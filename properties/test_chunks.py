"""A pool in chunks holds what it must, and each variant breaks what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fencepost.testing import ProtocolTests


class TestChunks(ProtocolTests):
    subject = "chunks"
    violated: ClassVar[Mapping[str, str]] = {
        "room-of-nobody-else": "a kernel that takes room twice: docs/findings.md",
    }
