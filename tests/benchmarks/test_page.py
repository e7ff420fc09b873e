"""What the benchmarks write: tables, sections between markers, and what was aimed at."""

from __future__ import annotations

import importlib
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from benchmarks.__main__ import PAGE, PARTS, main, write
from benchmarks.drawing import draw
from benchmarks.page import Section, Target, ahead, mebibytes, million, put, seconds, table, targets

TWO = "# Page\n<!-- benchmark: a -->\nold a\n<!-- end -->\nbetween\n<!-- benchmark: b -->\nold b\n<!-- end -->\nafter\n"


def test_a_section_takes_the_place_of_what_stood_between_its_markers() -> None:
    expected = TWO.replace("old b", "new | b")
    assert put(TWO, "b", "\nnew | b\n\n") == expected
    assert put(expected, "b", "new | b") == expected


@pytest.mark.parametrize("page", ["# Page\n", TWO + TWO, "<!-- benchmark: a -->\nno end\n"])
def test_a_page_without_one_place_for_it_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="one place between <!-- benchmark: a --> and <!-- end -->"):
        put(page, "a", "text")


def test_a_table_has_its_figures_on_the_right() -> None:
    lines = table(("what", "s"), [("a|b", "1.5 (1.4 to 1.6)"), ("c", "not measured")]).splitlines()
    assert lines == ["| what | s |", "| --- | --: |", "| a\\|b | 1.5 (1.4 to 1.6) |", "| c | not measured |"]


def test_a_row_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells"):
        table(("what", "s"), [("a",)])


def test_what_was_aimed_at_is_told_as_it_is() -> None:
    aims = Target("fast", "1 s", met=True), Target("faster", "2 s", met=False), Target("more", "nothing", met=None)
    ends = [line.split("|")[3].strip() for line in targets(*aims).splitlines()[2:]]
    assert ends == ["met", "NOT met", "not measured"]


def test_figures_have_as_many_digits_as_they_are_worth() -> None:
    assert [million(x) for x in (7_423_000, 83_400, 950)] == ["7.42 M", "83 k", "950"]
    assert [seconds(x) for x in (0.01234, 1.234, 61.23)] == ["0.012", "1.23", "61.2"]
    assert [mebibytes(x << 20) for x in (0, 99, 100, 2048)] == ["< 100", "< 100", "100", "2,048"]


def test_a_drawing_is_the_same_text_each_time_and_has_every_point() -> None:
    lines = {"a < b": [(1.0, 0.5), (2.0, 50.0)], "none": [], "c": [(1.0, 0.0)]}
    svg = draw("Title", "depth", "seconds", lines)
    assert svg == draw("Title", "depth", "seconds", lines)
    root = ET.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}circle")) == 3
    texts = [text.text for text in root.findall(f"{space}text")]
    assert {"Title", "depth", "seconds", "a < b", "c"} <= set(texts)
    assert "none" not in texts
    low, high = (
        float(line.attrib["points"].split()[at].split(",")[1])
        for line in root.findall(f"{space}polyline")[:1]
        for at in (0, 1)
    )
    assert low > high, "up is more"


def test_nothing_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        draw("", "", "", {"a": []})


def test_a_section_is_written_with_its_drawings(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    page = tmp_path / "page.md"
    page.write_text(TWO)
    write(page, "a", Section("new", {"lines.svg": "<svg/>"}))
    assert page.read_text() == TWO.replace("old a", "new")
    assert (tmp_path / "images" / "lines.svg").read_text() == "<svg/>"


def test_the_page_has_one_place_for_each_part() -> None:
    text = PAGE.read_text("utf-8")
    assert re.findall(r"<!-- benchmark: (\w+) -->", text) == ["machine", *PARTS]
    for part in PARTS:
        put(text, part, "")


def test_the_page_names_no_path_and_no_host() -> None:
    text = PAGE.read_text("utf-8")
    assert re.findall(r"/(?:tmp|home|work|root|usr)\b", text) == []


def test_what_is_no_part_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["speed"])
    assert ended.value.code == 2
    assert "no part is called 'speed'; there are explore, probe, " in capsys.readouterr().err


def test_who_is_ahead_is_told() -> None:
    groups = {"a": {"ours, x": 2.0, "ours, y": 1.5, "abc": 0.5, "cvc5": 1.0, "z": 9.0}, "b": {"ours": 1.0, "abc": 1.0}}
    assert ahead(groups) == "**Ahead of ours**, by CPU seconds: a: abc 0.50, cvc5 1.00 (ours 1.50)."
    assert ahead({"b": groups["b"], "none of ours": {"abc": 1.0}}) == "Nobody is ahead of ours here."


@pytest.mark.parametrize("part", PARTS)
def test_each_part_has_its_section(part: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.sections.{part}").section)
