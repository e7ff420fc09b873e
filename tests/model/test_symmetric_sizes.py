"""The protocols that declare a size symmetric can be searched so with all their properties."""

from __future__ import annotations

import pytest

from fencepost.ir.symmetry import roles
from fencepost.registry import find

DECLARED = {
    "chunks": {"Thread"},
    "cpu-wait": {"Handle", "Thread"},
    "issued-ops": {"Handle"},
    "legacy": {"Handle"},
    "recycled-handle": {"Queue"},
    "retiring": {"HwQueue"},
    "retiring-store-visibility": {"Core"},
    "store-visibility": {"Core"},
}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_what_is_declared_is_so(name: str) -> None:
    model = find(name).build()
    assert DECLARED[name] <= set(model.symmetric)
    assert {role.sort.name for role in roles(model)} >= DECLARED[name]
