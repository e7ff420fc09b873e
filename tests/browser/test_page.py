"""The page of a trace in a real browser: it opens by itself, steps, folds, and executes nothing of the trace's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from fencepost.ir.model import Actor, Model
from fencepost.trace.build import build_trace
from fencepost.trace.causes import Other, reasons
from fencepost.trace.html import render_html
from fencepost.verdict import Finding
from tests.browser.conftest import Seen
from tests.trace.toy import ARM, DESTROYED, MENDED, TOY, with_action

pytestmark = pytest.mark.foreign

EVIL = "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>"


def show(seen: Seen, folder: Path, finding: Finding = DESTROYED, model: Model = TOY) -> Any:
    trace = build_trace(model, finding)
    file = folder / "page.html"
    html = render_html(trace, model, reasons(trace, model, Other("mended", MENDED)), command="verify replay it")
    file.write_text(html, encoding="utf-8")
    seen.page.goto(file.as_uri())
    assert seen.requests == [file.as_uri()]
    return seen.page


def cell(page: Any, element: str) -> str:
    return str(page.locator(f"#state td[title='{element}']").inner_text())


def test_it_opens_at_the_violation_and_asks_for_nothing(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    assert page.locator("h1").inner_text() == "not-destroyed is violated after 7 steps"
    assert page.locator("#where").inner_text() == "7 of 7"
    assert (cell(page, "queues[1].waits"), cell(page, "handles[1].phase")) == ("1", "FREE")
    assert 'is refused there: "unreferenced" does not hold' in page.locator("#other").inner_text()
    assert seen.complaints == []


def test_it_steps_back_and_on_by_keys_buttons_and_slider(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    page.keyboard.press("ArrowLeft")
    assert (page.locator("#where").inner_text(), cell(page, "handles[1].phase")) == ("6 of 7", "CLEARED")
    page.keyboard.press("Home")
    assert (page.locator("#where").inner_text(), cell(page, "queues[1].waits")) == ("0 of 7", "none")
    page.click("#next")
    assert cell(page, "handles[1].phase") == "ARMED"
    assert page.locator("#step").inner_text().startswith("1. host: arm(h=1)")
    page.locator("#slider").fill("3")
    assert cell(page, "queues[1].waits") == "1"
    page.keyboard.press("End")
    assert page.locator("#where").inner_text() == "7 of 7"
    assert page.locator("tr.here").get_attribute("data-step") == "7"


def test_a_click_on_a_row_goes_there_and_shows_its_guards(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    page.click("tr[data-step='3']")
    told = page.locator("#step").inner_text()
    assert "packet on queue 1" in told
    assert "armed: handles[1].phase is ARMED" in told


def test_what_does_not_matter_folds_and_unfolds(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    assert page.locator("tr.fold").count() == 0
    page.keyboard.press("f")
    assert page.locator("tr.fold").all_inner_texts() == ["4-5\t… 2 steps"]
    assert page.locator("tr[data-step='4']").count() == 0
    page.locator("tr.fold").last.click()
    assert page.locator("tr[data-step='4']").count() == 1


def numbers(page: Any) -> list[str]:
    """What the first column says, folded rows included."""
    return [str(text) for text in page.locator("#lanes tbody td:first-child").all_inner_texts()]


def test_the_rows_stay_in_order_when_steps_are_folded_anew(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    page.keyboard.press("f")
    assert numbers(page) == ["0", "1", "2", "3", "4-5", "6", "7", ""]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert numbers(page) == ["0", "1", "2", "3", "4-5", "6", "7", ""]
    page.locator("#slider").fill("4")
    assert numbers(page) == ["0", "1", "2", "3", "4", "5", "6", "7", ""]
    page.locator("#slider").fill("5")
    assert numbers(page) == ["0", "1", "2", "3", "4", "5", "6", "7", ""]
    page.keyboard.press("f")
    assert numbers(page) == ["0", "1", "2", "3", "4", "5", "6", "7", ""]


def test_light_and_dark(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.keyboard.press("t")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_in_print_the_run_and_the_reason_are_there_and_the_controls_are_not(seen: Seen, tmp_path: Path) -> None:
    page = show(seen, tmp_path)
    page.emulate_media(media="print")
    assert page.locator("tr[data-step='7']").is_visible()
    assert page.locator("#why").is_visible()
    assert not page.locator(".bar").is_visible()


def test_a_thousand_steps(seen: Seen, tmp_path: Path) -> None:
    arm, *rest = DESTROYED.path
    long = evolve(DESTROYED, path=(arm, *[("pause", ())] * 1000, *rest))
    page = show(seen, tmp_path, long)
    assert page.locator("#where").inner_text() == "1007 of 1007"
    assert page.locator("tr[data-step]").count() < 20
    page.keyboard.press("f")
    assert page.locator("tr[data-step]").count() == 1008
    page.keyboard.press("Home")
    for _ in range(50):
        page.keyboard.press("ArrowRight")
    assert page.locator("#where").inner_text() == "50 of 1007"
    assert seen.complaints == []


def test_nothing_of_a_hostile_trace_is_executed(seen: Seen, tmp_path: Path) -> None:
    hostile = with_action(TOY, evolve(ARM, actor=Actor(EVIL), src=EVIL))
    page = show(seen, tmp_path, model=evolve(hostile, protocol=EVIL))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.hit") is None
    assert EVIL in page.locator("#lanes thead").inner_text()
    assert page.locator("img").count() == 0
