"""`verify matrix`: which property catches which variant, and what follows from that."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.manifest import Pin, PropertyPin
from fencepost.matrix.markdown import page
from fencepost.matrix.table import Line, Matrix, Subsumed, matrices
from fencepost.matrix.text import render
from fencepost.registry import find, names
from fencepost.verdict import Verdict
from tests.cli.conftest import Verify
from tests.cli.pinned import MANIFEST

DOCS = Path(__file__).parents[2] / "docs"
PINS = Path("mine.manifest.toml")
MATRIX = ("matrix", "--protocol", "mine.py")


@pytest.fixture(autouse=True)
def _mine(verify: Verify, counter: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())
    PINS.write_text(MANIFEST)


def test_the_table_its_key_and_what_follows(verify: Verify) -> None:
    ran = verify(*MATRIX, "--strict")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "counter\n"
        "           1  2  3\n"
        "  sound    -  -  -\n"
        "  eager    -  -  4\n"
        "  brittle  3  -  -\n"
        "  stuck    -  1  -\n"
        "  walled   -  1  -\n"
        "\n"
        "   1  whole\n"
        "   2  no-hang\n"
        "   3  an obligation: a range, an index or a live field\n"
    )


def test_what_is_caught_by_nothing_and_what_catches_nothing(verify: Verify) -> None:
    PINS.write_text(
        MANIFEST.replace('whole = { verdict = "VIOLATED", length = 3, twin = 2 }', 'whole = { verdict = "EXHAUSTED" }')
    )
    ran = verify(*MATRIX)
    assert ran.code == 0
    assert "\n  caught by nothing: brittle, said to break whole\n  catches nothing: whole\n" in ran.out
    assert verify(*MATRIX, "--strict").code == 1


def test_a_variant_recorded_as_harmless_is_no_complaint(verify: Verify) -> None:
    Path("mine.py").write_text(Path("mine.py").read_text().replace(', breaks="range:push/value"', ""))
    PINS.write_text(MANIFEST.replace('"range:push/value" = { verdict = "VIOLATED", length = 4 }\n', ""))
    ran = verify(*MATRIX, "--strict")
    assert ran.code == 0
    assert ran.out.endswith("\n  caught by nothing, as recorded: eager (pushes beyond the limit)\n")


def test_what_is_not_pinned_catches_nothing(verify: Verify) -> None:
    PINS.unlink()
    ran = verify(*MATRIX, "--strict")
    assert ran.code == 1
    assert "caught by nothing: stuck, which is not pinned\n" in ran.out
    assert "catches nothing: no-hang\n" in ran.out


def shipped() -> list[Matrix]:
    return matrices([find(name) for name in names()])


def test_what_an_included_property_catches_where_it_is_at_home_counts() -> None:
    """The tracker's properties are included by the tracker with its store path, whose variants are others."""
    composed, home = find("retiring-store-visibility"), find("retiring")
    (alone,) = matrices([composed])
    (beside,) = matrices([composed], [home])
    assert "no-rearm-under-a-gpu-waiter" in alone.idle
    assert "no-rearm-under-a-gpu-waiter" in beside.idle_here
    assert beside.elsewhere["no-rearm-under-a-gpu-waiter"] == ("retiring",)
    assert "no-rearm-under-a-gpu-waiter" not in beside.idle
    (told,) = [
        line for line in render(beside, width=1000) if line.startswith("  catches nothing here, but in retiring:")
    ]
    assert "no-rearm-under-a-gpu-waiter" in told


def test_no_property_of_a_shipped_protocol_catches_nothing() -> None:
    """Nor is a variant caught by nothing but where that is recorded."""
    for matrix in shipped():
        assert matrix.idle == [], matrix.protocol


def made(*caught: dict[str, int], properties: str = "abc") -> Matrix:
    """A matrix of a pin for each of `caught`, all properties looked at in each."""
    pins = []
    for steps in caught:
        held = {name: PropertyPin(Verdict.EXHAUSTED) for name in properties if name not in steps}
        broken = {name: PropertyPin(Verdict.VIOLATED, length=length) for name, length in steps.items()}
        pins.append(Pin("made", "some", properties={**held, **broken}))
    every = frozenset(properties)
    lines = [Line(f"some{i}", True, "", "a", steps, every, True) for i, steps in enumerate(caught)]
    return Matrix("made", tuple(properties), tuple(lines), tuple(pins))


@pytest.mark.parametrize(
    ("caught", "sound"),
    [
        ([{"a": 1, "b": 1}, {"c": 1}], True),
        ([{"a": 1, "b": 1}, {"a": 1}], False),
        ([{"a": 1, "b": 1, "c": 1}, {}], False),
    ],
)
def test_strict_is_about_properties_and_about_variants(caught: list[dict[str, int]], sound: bool) -> None:
    assert made(*caught).sound is sound


@pytest.mark.parametrize(
    ("caught", "expected"),
    [
        ([{"a": 3, "b": 4}, {"a": 2}], [Subsumed("b", by="a", same=False)]),
        ([{"a": 5, "b": 4}, {"a": 2}], []),
        ([{"a": 3, "b": 3}], [Subsumed("b", by="a", same=True)]),
        ([{"a": 3, "b": 4}, {"a": 3, "b": 4}], [Subsumed("b", by="a", same=False)]),
        ([{"a": 3}, {"b": 3}], []),
        ([{"a": 3}], []),
        (
            [{"a": 3, "b": 3, "c": 3}, {"c": 1}],
            [Subsumed("a", "c", False), Subsumed("b", "a", True), Subsumed("b", "c", False)],
        ),
    ],
)
def test_one_subsumes_another_that_is_never_violated_without_it_nor_sooner(
    caught: list[dict[str, int]], expected: list[Subsumed]
) -> None:
    assert sorted(made(*caught).subsumed, key=lambda pair: (pair.name, pair.by)) == expected


def test_where_one_is_not_looked_at_it_subsumes_nothing() -> None:
    whole = made({"a": 3, "b": 3})
    without = Pin("made", "other", properties={"b": PropertyPin(Verdict.VIOLATED, length=2)})
    assert Matrix("made", ("a", "b"), whole.lines, (*whole.pins, without)).subsumed == [Subsumed("a", "b", False)]


def test_the_cell_is_the_shortest_of_all_pins_and_empty_where_nothing_looked(verify: Verify) -> None:
    shorter = MANIFEST.replace("limit = 3", "limit = 2").replace("length = 3", "length = 2").partition("\n")[2]
    PINS.write_text(MANIFEST + shorter.replace('whole = { verdict = "EXHAUSTED" }\n', ""))
    assert "  brittle  2  -  -\n" in verify(*MATRIX).out
    PINS.write_text(f"schema = 1\n{shorter}{MANIFEST.partition(chr(10))[2]}")
    assert "  brittle  2  -  -\n" in verify(*MATRIX).out
    PINS.write_text(MANIFEST.replace('whole = { verdict = "EXHAUSTED" }\n', ""))
    assert "  stuck       1  -\n" in verify(*MATRIX).out


def test_too_wide_for_a_table_it_is_a_list() -> None:
    wide = made({"a": 3, "c": 12}, {})
    assert "  some0  3  -  12" in list(render(wide, width=20))
    assert list(render(wide, width=15))[:4] == ["made", "  some0", "      3  a", "     12  c"]
    for matrix in shipped():
        assert max(map(len, render(matrix))) <= 100


def test_markdown(verify: Verify) -> None:
    out = verify(*MATRIX, "--markdown").out
    assert out.startswith("# Which property catches which variant\n")
    assert "\n## counter\n\n|  | 1 | 2 | 3 |\n| --- | --: | --: | --: |\n| sound (as it is) | - | - | - |\n" in out
    assert "| `brittle` | 3 | - | - |\n" in out
    assert "\n1. whole\n2. no-hang\n" in out


def test_the_page_is_current() -> None:
    mend = "write it anew: verify matrix --markdown > docs/matrix.md"
    assert (DOCS / "matrix.md").read_text("utf-8") == page(shipped()), mend


def test_another_protocol_that_does_not_load_is_in_nobodys_way(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.cli.matrix.names", lambda: ("absent", "recycled-handle"))
    assert verify(*MATRIX).code == 0
    ran = verify("matrix")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown protocol 'absent'" in ran.err


def test_bad_input(verify: Verify) -> None:
    ran = verify("matrix", "--protocol", "recycled-handel")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "verify: unknown protocol 'recycled-handel'; did you mean 'recycled-handle'?\n"
