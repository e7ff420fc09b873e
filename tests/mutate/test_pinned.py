"""What is pinned of mutation and coverage is in the documents, and is still so."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.cli.mutate import How, run
from fencepost.coverage.collect import collect
from fencepost.coverage.text import page as coverage_page
from fencepost.mutate.page import page
from fencepost.mutate.pinned import Pinned, load
from fencepost.registry import find, names

ROOT = Path(__file__).parents[2]
PINS = load(ROOT / "properties" / "fencepost_rocm_properties" / "manifest.toml")
QUICK = [pin for pin in PINS if pin.protocol == "recycled-handle"]


def test_every_shipped_protocol_is_pinned() -> None:
    shipped = {name for name in names() if find(name).manifest is not None}
    assert shipped <= {pin.protocol for pin in PINS}


def test_the_page_is_what_is_pinned() -> None:
    mend = "write it anew: verify mutate --markdown > docs/mutation.md"
    assert (ROOT / "docs" / "mutation.md").read_text("utf-8") == page(sorted(PINS, key=lambda pin: pin.protocol)), mend


def again(pin: Pinned) -> list[str]:
    model = find(pin.protocol).build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
    return pin.differences(pin.now(run(model, How(depth=pin.depth, sample=pin.sample, jobs=1))))


@pytest.mark.parametrize("pin", QUICK, ids=lambda pin: pin.protocol)
def test_a_small_one_is_as_pinned(pin: Pinned) -> None:
    assert again(pin) == []


@pytest.mark.deep
@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin.protocol)
def test_each_is_as_pinned(pin: Pinned) -> None:
    assert again(pin) == []


@pytest.mark.deep
def test_the_page_of_coverage_is_so() -> None:
    every = [
        collect(find(pin.protocol).build(variant=pin.variant, sizes=pin.sizes, features=pin.features), pin.depth)
        for pin in sorted(PINS, key=lambda pin: pin.protocol)
    ]
    mend = "write it anew: verify coverage --markdown > docs/coverage.md"
    assert (ROOT / "docs" / "coverage.md").read_text("utf-8") == coverage_page(every), mend
