"""`verify pins`: what differs from the manifest, and writing it anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.cli import pins
from fencepost.engines import Limits
from fencepost.ir.model import Model
from fencepost.manifest import Pin, load
from tests.cli.conftest import Verify

MANIFEST = Path("mine.manifest.toml")


@pytest.fixture(autouse=True)
def _mine(verify: Verify, counter: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())


def test_written_then_as_pinned_then_different(verify: Verify) -> None:
    MANIFEST.write_text('schema = 1\n[[pin]]\nprotocol = "counter"\nsizes = { limit = 2 }\n')
    first = verify("pins", "--protocol", "mine.py")
    assert first.code == 1
    assert "sound: new\n" in first.out
    assert "sound limit=2: no-hang: not pinned; whole: not pinned\n" in first.out
    assert verify("pins", "--protocol", "mine.py", "--update", "--bmc").code == 0
    assert [(pin.variant, dict(pin.sizes), pin.states) for pin in load(MANIFEST).pin] == [
        (None, {"limit": 2}, 3),
        (None, {"limit": 3}, 4),
        ("brittle", {"limit": 3}, 7),
        ("eager", {"limit": 3}, 4),
        ("stuck", {"limit": 3}, 4),
        ("walled", {"limit": 3}, 4),
    ]
    brittle = load(MANIFEST).pin[2].properties["whole"]
    assert (brittle.verdict.value, brittle.length, brittle.twin, brittle.bmc) == ("VIOLATED", 3, 2, 3)
    again = verify("pins", "--protocol", "mine.py")
    assert again.code == 0
    assert again.out.count(": as pinned\n") == 6
    text = MANIFEST.read_text()
    assert verify("pins", "--protocol", "mine.py", "--update").code == 0
    assert MANIFEST.read_text() == text
    MANIFEST.write_text(text.replace("states = 7", "states = 8"))
    changed = verify("pins", "--protocol", "mine.py")
    assert changed.code == 1
    assert "brittle: states: pinned 8, now 7\n" in changed.out


def test_what_a_person_wrote_about_a_pin_is_kept(verify: Verify) -> None:
    MANIFEST.write_text(
        'schema = 1\n[[pin]]\nprotocol = "counter"\nvariant = "brittle"\nsizes = { limit = 3 }\n'
        '[pin.properties]\nwhole = { verdict = "VIOLATED", finding = "the-mark", bmc = 9 }\n'
    )
    assert verify("pins", "--protocol", "mine.py", "--update").code == 0
    whole = next(pin for pin in load(MANIFEST).pin if pin.variant == "brittle").properties["whole"]
    assert (whole.finding, whole.bmc, whole.length) == ("the-mark", 9, 3)


def test_numbers_of_a_search_that_did_not_finish_are_not_pinned(verify: Verify) -> None:
    ran = verify("pins", "--protocol", "recycled-handle", "--timeout", "0.000001")
    assert ran.code == 2
    assert "exploring stopped (timeout) at depth 0; give --depth, or a longer --timeout" in ran.err


def test_without_a_manifest_nothing_is_written(verify: Verify) -> None:
    ran = verify("pins", "--protocol", "mine.py", "--update")
    assert ran.code == 2
    assert "counter has no manifest to write to; make an empty one first" in ran.err
    assert not MANIFEST.exists()


def test_the_bounded_check_must_accept_what_exploring_found(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.smt.follow.feasible", lambda model, finding: finding.name != "range:push/value")
    ran = verify("pins", "--protocol", "mine.py", "--bmc")
    assert ran.code == 70
    assert "internal error: the encoding for the bounded check refuses the run to range:push/value" in ran.err


def test_what_is_pinned_while_it_looks_is_kept(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    MANIFEST.write_text("schema = 1\n")
    look = pins._look

    def slowly(model: Model, pin: Pin | None, limits: Limits, *, bmc: bool) -> Pin:
        MANIFEST.write_text('schema = 1\n[[pin]]\nprotocol = "another"\n')
        return look(model, pin, limits, bmc=bmc)

    monkeypatch.setattr(pins, "_look", slowly)
    assert verify("pins", "--protocol", "mine.py", "--update").code == 0
    assert {pin.protocol for pin in load(MANIFEST).pin} == {"another", "counter"}
