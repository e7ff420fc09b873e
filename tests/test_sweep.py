"""Of every shipped protocol, at the sizes of its mutants: no size one smaller or one larger shows another violation."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.check import Check
from fencepost.engines import Limits
from fencepost.mutate.pinned import Pinned, load
from fencepost.registry import find
from fencepost.sweep import sweep
from tests.profile import PATIENCE

PINS = load(Path(__file__).parents[1] / "properties" / "fencepost_rocm_properties" / "manifest.toml")


def violations(pin: Pinned) -> list[str]:
    """What another size violates that the pinned ones do not."""
    entry = find(pin.protocol)
    model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
    neighbours = [
        each for each in sweep(entry, model, Limits(pin.depth, PATIENCE, 6 << 30)) if not isinstance(each, Check)
    ]
    looked = [each for each in neighbours if each.found is not None]
    assert len(looked) > 1
    assert not any(each.found.is_open for each in looked if each.found is not None)
    return [f"--{each.size} {each.value}: {change.name}" for each in looked if each.violates for change in each.changes]


@pytest.mark.deep
@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.protocol)
def test_neighbours_violate_nothing_else(pin: Pinned) -> None:
    assert violations(pin) == []
