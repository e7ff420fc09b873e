"""The pool of a graph's signals holds what it must, and each of its variants breaks what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from fencepost.testing import ProtocolTests


class TestGraphPool(ProtocolTests):
    subject = "graph-pool"
    violated: ClassVar[Mapping[str, str]] = dict.fromkeys(
        (
            "armed-before-decremented",
            "launch-leaves-nothing",
            "no-hang",
            "released-when-nothing-refers-to-it",
            "segment-not-taken-for-complete",
            "signals-outlive-their-packets",
            "taken-armed",
            "wait-passes-after-its-segment",
            "range:complete_leaf/sets[].values[]",
        ),
        "docs/findings.md",
    )
