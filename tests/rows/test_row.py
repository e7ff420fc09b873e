"""Rows: which there are, what they are called, which a profile takes, and how they are dealt out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import ModelError
from fencepost.manifest import Pin
from fencepost.registry import Entry, find
from fencepost.rows import row as rows
from fencepost.rows.row import CI, DEEP, Row, all_rows, rows_of, shard, title

COUNTER = str(Path(__file__).parents[1] / "cli" / "protocols" / "counter.py")


@pytest.mark.parametrize(
    ("pin", "name"),
    [
        (Pin("counter", None, {"limit": 3}), "sound"),
        (Pin("counter", "stuck", {"limit": 4}), "stuck limit=4"),
        (Pin("counter", None, {"limit": 4}, ("reset",)), "sound limit=4 with reset"),
        (Pin("retiring", "no-pin", {"queues": 2, "slots": 2, "ring": 2, "cap": 2, "handles": 2}, ("pins",)), "no-pin"),
        (
            Pin("retiring", "no-pin", {"queues": 2, "slots": 3, "ring": 2, "cap": 3, "handles": 2}),
            "no-pin cap=3 slots=3 without features",
        ),
    ],
)
def test_a_title_has_what_is_not_the_variants_own(pin: Pin, name: str) -> None:
    entry = find(COUNTER if pin.protocol == "counter" else pin.protocol)
    assert title(entry, pin) == name


def test_titles_are_all_different() -> None:
    names = [row.title for row in all_rows()]
    assert len(names) == len(set(names)) > 100


def test_a_protocol_that_does_not_load_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Entry:
        raise ModelError("it is written wrongly", "mend it")

    monkeypatch.setattr(rows, "names", lambda: ("broken",))
    monkeypatch.setattr(rows, "find", broken)
    (row,) = all_rows()
    assert (row.title, row.problem, row.loads) == (
        "broken",
        "does not load: it is written wrongly; mend it",
        False,
    )


def test_what_is_pinned_of_a_protocol_that_is_not_there_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "names", lambda: ("recycled-handle",))
    found = all_rows()
    assert [row.title for row in found[:3]] == [row.title for row in rows_of(find("recycled-handle"))]
    orphans = {row.title: row.problem for row in found[3:]}
    assert orphans["retiring"] == "pinned, but no protocol of that name is installed"
    assert list(orphans) == sorted(orphans)


def test_profiles() -> None:
    assert [CI.takes(states) for states in (0, 1_000_000, 1_000_001)] == [True, True, False]
    assert DEEP.takes(10**12)


def row_of(states: int, number: int) -> Row:
    return Row("some", f"some {number}", Pin("some", states=states))


@given(
    st.lists(st.integers(0, 2_000_000), max_size=60),
    st.integers(1, 7),
)
def test_shards_are_disjoint_complete_and_balanced(states: list[int], of: int) -> None:
    everything = [row_of(count, number) for number, count in enumerate(states)]
    parts = [shard(everything, number, of, CI) for number in range(1, of + 1)]
    dealt = [row for part in parts for row in part]
    assert sorted(dealt, key=everything.index) == everything
    assert len(dealt) == len(everything)
    for part in parts:
        assert part == sorted(part, key=everything.index)
    # No part has more work than another by more than its largest row, a row's own cost of 1 included.
    work = [[max(row.states, 1) if CI.takes(row.states) else 1 for row in part] for part in parts]
    assert all(sum(one) - max(one, default=0) <= sum(other) for one in work for other in work)


def test_the_largest_rows_are_dealt_out_first() -> None:
    everything = [row_of(states, number) for number, states in enumerate((1, 2, 3, 4, 5, 15))]
    assert [sum(row.states for row in shard(everything, number, 2, CI)) for number in (1, 2)] == [15, 15]


def test_rows_that_the_profile_leaves_out_are_no_work() -> None:
    everything = [row_of(states, number) for number, states in enumerate((9_000_000, 400_000, 300_000, 2_000_000))]
    parts = [shard(everything, number, 2, CI) for number in (1, 2)]
    assert sorted(sum(row.states for row in part if CI.takes(row.states)) for part in parts) == [300_000, 400_000]
    assert sorted(len(part) for part in parts) == [1, 3], "none is dropped"
    deep = [shard(everything, number, 2, DEEP) for number in (1, 2)]
    assert sorted(sum(row.states for row in part) for part in deep) == [2_700_000, 9_000_000]
