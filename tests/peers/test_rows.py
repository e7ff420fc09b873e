"""Checkers that nobody here wrote agree on what is pinned: states, verdicts and shortest lengths."""

from __future__ import annotations

import os

import pytest

from fencepost.peers.crosscheck import compare
from fencepost.peers.peers import PEERS
from fencepost.registry import names
from tests.foreign import need
from tests.peers.rows import Compared, chosen
from tests.profile import DEEP, PATIENCE

pytestmark = pytest.mark.foreign


@pytest.mark.parametrize("row", chosen(), ids=lambda row: row.id)
def test_a_peer_agrees(row: Compared) -> None:
    need(row.tool)
    need("cc")
    compared = compare(row.model, PEERS[row.tool], PATIENCE, each=DEEP)
    assert compared.differences == ()
    if row.pin is not None:
        assert compared.states == row.pin.states
        pinned = {name: prop.length for name, prop in row.pin.properties.items()}
        assert {name: pinned.get(name) for name in compared.lengths} == dict(compared.lengths)


@pytest.mark.skipif(not DEEP and os.environ.get("FENCEPOST_TOOLS") != "required", reason="a sample alone")
def test_every_protocol_is_looked_at_by_both() -> None:
    looked = {(row.tool, row.subject) for row in chosen() if row.variant is None}
    assert looked == {(tool, protocol) for tool in PEERS for protocol in names()}
