"""Every action of every registered protocol has its row, and every row is of an action."""

from __future__ import annotations

import pytest

from fencepost.registry import names
from tests.docs.actions import HEAD, PAGE, SHARED, Row, lacking, rows_of, written

TEXT = PAGE.read_text("utf-8")
ROWS = written(TEXT)


@pytest.mark.parametrize("name", names())
def test_every_action_has_a_row(name: str) -> None:
    rows = lacking(name, TEXT)
    assert rows == [], "add to docs/model-versus-code.md:\n" + "\n".join(map(str, rows))


def test_every_section_is_of_a_protocol_and_every_row_of_an_action() -> None:
    assert set(ROWS) == {*names(), SHARED}
    known = {name: {row.generated for row in rows_of(name)} for name in names()}
    known[SHARED] = set().union(*known.values())
    stale = {name: [row.action for row in rows if row.generated not in known[name]] for name, rows in ROWS.items()}
    assert not any(stale.values()), stale


def test_every_row_says_what_is_left_out_and_what_makes_it_one_step() -> None:
    assert [row.action for rows in ROWS.values() for row in rows if not (row.left_out and row.step)] == []


def test_a_row_that_lacks_or_differs_is_seen() -> None:
    row = next(row for row in ROWS["recycled-handle"] if row.action == "`dispatch`")
    assert [lack.action for lack in lacking("recycled-handle", TEXT.replace(f"{row}\n", ""))] == ["`dispatch`"]
    assert [lack.action for lack in lacking("recycled-handle", TEXT.replace(row.src, "Another::function"))] == [
        "`dispatch`"
    ]


def test_rows_are_read_from_their_section() -> None:
    page = f"# t\n\n## one\n\n{HEAD}\n|---|---|---|---|---|\n| `a` | b | c | d | e |\n\ntext\n\n## two\n"
    assert written(page) == {"one": [Row("`a`", "b", "c", "d", "e")], "two": []}
