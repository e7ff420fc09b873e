"""Tests of my_protocol.py: `pytest test_my_protocol.py`."""

from __future__ import annotations

from pathlib import Path

from fencepost.testing import ProtocolTests


class TestMyProtocol(ProtocolTests):
    """No property is violated, each is exercised, and `buggy` breaks what it says."""

    subject = str(Path(__file__).with_name("my_protocol.py"))
