"""The recycled handle by hand, as others would write it, and exported: the same states, the same shortest traces."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from fencepost.ir.model import Model
from fencepost.peers import rumur, spin
from fencepost.peers.crosscheck import exported, ours
from fencepost.peers.tools import call, need
from fencepost.registry import find
from tests import foreign
from tests.profile import PATIENCE

pytestmark = pytest.mark.foreign

FOLDER = Path(__file__).parent / "reference"
STATES, TRANSITIONS, ORBITS = 8_100, 27_579, 23_636
"""Of two queues, two handles and three slots; the orbits of three queues. Counted by hand-written models elsewhere."""


def model(variant: str | None = None, queues: int = 2) -> Model:
    return find("recycled-handle").build(variant=variant, sizes={"queues": queues, "handles": 2, "slots": 3})


def by_hand_murphi(fixed: int) -> str:
    text = (FOLDER / "rh.m").read_text("utf-8")
    for name, value in {"Q": "2", "H": "2", "K": "3", "FIXED": str(fixed), "QT": "0..Q-1"}.items():
        text = text.replace(f"@{name}@", value)
    return text


@pytest.fixture(autouse=True)
def _compiler() -> None:
    foreign.need("cc")


def test_our_own_counts() -> None:
    found = ours(exported(model()), PATIENCE)
    assert (found.states, found.transitions) == (STATES, TRANSITIONS)


def test_murphi_by_hand_and_exported(tmp_path: Path) -> None:
    foreign.need("rumur")
    by_hand = rumur.run_text(by_hand_murphi(1), tmp_path, PATIENCE)
    assert f"{STATES} states, {TRANSITIONS} rules fired" in by_hand
    seen = rumur.search(exported(model()), timeout=PATIENCE)
    assert (seen.broken, seen.states, seen.transitions) == ("", STATES, TRANSITIONS)


def test_murphi_by_hand_breaks_where_ours_does(tmp_path: Path) -> None:
    foreign.need("rumur")
    by_hand = rumur.run_text(by_hand_murphi(0), tmp_path, PATIENCE)
    assert 'invariant "NoDangling" failed' in by_hand
    steps = [line for line in by_hand.splitlines() if line.startswith("Rule ")]
    seen = rumur.search(exported(model("buggy")), timeout=PATIENCE)
    assert (seen.broken, len(seen.path), len(steps)) == ("no-handle-destroyed-while-referenced", 6, 6)


def test_queues_are_a_scalarset_with_as_many_orbits() -> None:
    foreign.need("rumur")
    chosen = exported(model(queues=3))
    text = rumur.murphi.export(chosen).text
    assert "Queue: scalarset(3);" in text
    seen = rumur.search_text(text, chosen, timeout=PATIENCE, flags=("--symmetry-reduction", "exhaustive"))
    assert seen.states == ORBITS


def test_promela_by_hand_and_exported(tmp_path: Path) -> None:
    foreign.need("spin")
    text = (FOLDER / "rh.pml").read_text("utf-8")
    (tmp_path / "rh.pml").write_text(text, "utf-8")
    sizes = ["-DQ=2", "-DH=2", "-DK=3", "-DFIXED=1", "-DHID="]
    call([need("spin"), "-a", *sizes, "rh.pml"], tmp_path, PATIENCE)
    call([need("cc"), *spin.COMPILE, "-o", "pan", "pan.c"], tmp_path, PATIENCE)
    assert f"{STATES} states, stored" in call([str(tmp_path / "pan"), *spin.RUN], tmp_path, PATIENCE)
    seen = spin.search(exported(model()), timeout=PATIENCE)
    assert (seen.broken, seen.states) == ("", STATES)


def test_promela_finds_the_hang_in_as_many_steps() -> None:
    foreign.need("spin")
    chosen = exported(model("buggy"))
    hang = chosen.property("no-hang")

    seen = spin.search(evolve(chosen, properties=(hang,)), timeout=PATIENCE)
    assert (seen.broken, len(seen.path)) == ("no-hang", 8)
