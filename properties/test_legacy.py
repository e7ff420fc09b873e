"""The legacy signal tracker holds what it must, and each of its variants breaks what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fencepost.testing import ProtocolTests


class TestLegacy(ProtocolTests):
    subject = "legacy"
    violated: ClassVar[Mapping[str, str]] = dict.fromkeys(
        (
            "no-handle-destroyed-while-referenced",
            "no-hang",
            "rearmed-only-when-free",
            "wait-next-proves-the-waiter-passed",
            "wait-satisfied-by-its-own-arming",
        ),
        "docs/findings.md",
    )
