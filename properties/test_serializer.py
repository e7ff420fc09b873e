"""The profiler serializer holds what it must, and each of its variants breaks what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fencepost.testing import ProtocolTests


class TestSerializer(ProtocolTests):
    subject = "serializer"
    violated: ClassVar[Mapping[str, str]] = dict.fromkeys(
        (
            "armed-barrier-waits-for-something",
            "barrier-counts-what-is-ahead-of-it",
            "every-barrier-clears",
            "every-packet-gets-going",
            "no-hang",
        ),
        "a dispatch is counted before it is built: docs/findings.md",
    )
