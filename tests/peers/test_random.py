"""Checkers that nobody here wrote agree with our search on models drawn by chance."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given

from fencepost.ir.model import Model
from fencepost.peers.crosscheck import compare
from fencepost.peers.peers import PEERS
from tests.foreign import need
from tests.profile import as_drawn, examples
from tests.strategies import models

pytestmark = pytest.mark.foreign

# A failing model costs a build a try.
DRAWN = as_drawn(examples(20))


@pytest.mark.parametrize("tool", PEERS)
def test_a_peer_agrees_on_random_models(tool: str) -> None:
    need(tool)
    need("cc")
    looked, counted, broken = [], [], []

    @DRAWN
    @given(models())
    def look(model: Model) -> None:
        compared = compare(evolve(model, properties=model.properties[:1]), PEERS[tool], 120.0, each=False)
        assert compared.differences == ()
        looked.append(model)
        counted.extend([model] * ("states" not in compared.not_compared))
        broken.extend(compared.lengths)

    look()
    assert len(looked) >= 20
    assert counted
    assert broken
