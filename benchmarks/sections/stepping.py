"""How a page of a thousand steps feels in a browser: from a key pressed to the next picture, beside a short run."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from benchmarks.page import Section, Target, table, targets
from benchmarks.settings import Settings
from benchmarks.timing import Spread
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.ir.expr import FALSE, TRUE
from fencepost.ir.model import Model, Property
from fencepost.registry import find
from fencepost.trace.build import build_trace
from fencepost.trace.causes import reasons
from fencepost.trace.html import render_html
from fencepost.verdict import Finding, Label
from fencepost.verdict import Path as Run

PROTOCOL = "retiring"
LENGTHS = (20, 1_000)
PRESSES = 100
FRAME = 1000 / 60
FLUID = 50.0
"""Milliseconds from a key to what it changes, up to which nobody sees a delay: three pictures at 60 a second."""

HEAD = ("steps", "page, kB", "opened, ms", "key to picture, ms", "unfolded, ms", "key to picture unfolded, ms")

# The second request for a picture is answered when what the key changed has been painted.
TO_PICTURE = """([key, on]) => new Promise(done => {
    const begin = performance.now();
    if (on) document.querySelector(on).click();
    else document.dispatchEvent(new KeyboardEvent("keydown", { key }));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
})"""
OPENED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


@frozen
class Felt:
    """Milliseconds on one page: until it was there, of each key, until it was unfolded, and of each key then."""

    opened: float
    folded: tuple[float, ...]
    unfolding: float
    unfolded: tuple[float, ...]


def section(settings: Settings) -> Section:
    """A row for each length, measured in turn in one browser."""
    model = _ends_anywhere(find(PROTOCOL).build())
    pages = {length: _page(model, length, settings.scratch / f"{length}.html") for length in LENGTHS}
    with _browser() as browser:
        if isinstance(browser, str):
            return Section(f"not measured: {browser}")
        felt: dict[int, list[Felt]] = {length: [] for length in LENGTHS}
        for _ in range(settings.rounds):
            for length, page in pages.items():
                felt[length].append(_feel(browser, page))
        version = browser.version
    rows = [_row(length, pages[length], felt[length]) for length in LENGTHS]
    slowest = max(max(each.unfolded) for each in felt[LENGTHS[-1]])
    typical = Spread.of([key for each in felt[LENGTHS[-1]] for key in each.unfolded]).median
    text = (
        f"A run of {LENGTHS[-1]:,} steps of `{PROTOCOL}`, chosen at random, and its first {LENGTHS[0]}, each as a page"
        f" in Chromium {version} without a window: {PRESSES} times the key for the next step, folded and with every"
        f" step in sight, each from the key to the picture after the one that it changes. A screen shows a picture"
        f" every {FRAME:.1f} ms, so that two of them, {2 * FRAME:.1f} ms, are the least there can be."
    )
    aim = Target(
        f"{LENGTHS[-1]:,} steps, all in sight: under {FLUID:.0f} ms from a key to the picture",
        f"{typical:.1f} ms, {slowest:.1f} ms at worst",
        typical < FLUID,
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{targets(aim)}")


def _row(length: int, page: Path, felt: list[Felt]) -> tuple[str, ...]:
    told: Callable[[float], str] = "{:.1f}".format
    return (
        f"{length:,}",
        f"{page.stat().st_size / 1000:,.0f}",
        Spread.of([each.opened for each in felt]).told(told),
        Spread.of([key for each in felt for key in each.folded]).told(told),
        Spread.of([each.unfolding for each in felt]).told(told),
        Spread.of([key for each in felt for key in each.unfolded]).told(told),
    )


def _ends_anywhere(model: Model) -> Model:
    """The model with a property that any state violates, so that any run is a counterexample."""
    return evolve(model, properties=(*model.properties, Property("never", FALSE, TRUE, "", "")))


def _page(model: Model, length: int, file: Path) -> Path:
    trace = build_trace(model, Finding("never", _walk(model, length)))
    file.write_text(render_html(trace, model, reasons(trace, model), command="python -m benchmarks stepping"), "utf-8")
    return file


def _walk(model: Model, length: int) -> Run:
    """So many steps at random, always the same; those of a shorter walk come first in a longer one."""
    chosen, interpreter = random.Random(0), Interpreter(model)  # noqa: S311 - nothing depends on its secrecy
    state = interpreter.initial()
    path: list[Label] = []
    while len(path) < length:
        able = [
            (action.name, args, outcome.state)
            for action, args in interpreter.instances()
            if isinstance(outcome := interpreter.fire(state, action, args), Stepped)
        ]
        name, args, state = chosen.choice(able)
        path.append((name, args))
    return tuple(path)


def _feel(browser: Any, file: Path) -> Felt:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(file.as_uri())
    opened = page.evaluate(OPENED)
    at_first = page.locator("#fold").is_checked()
    if not at_first:
        page.evaluate(TO_PICTURE, ["", "#fold"])
    folded = _keys(page)
    unfolding = page.evaluate(TO_PICTURE, ["", "#fold"])
    unfolded = _keys(page)
    page.close()
    return Felt(opened, folded, unfolding, unfolded)


def _keys(page: Any) -> tuple[float, ...]:
    page.evaluate(TO_PICTURE, ["Home", ""])
    return tuple(page.evaluate(TO_PICTURE, ["ArrowRight", ""]) for _ in range(PRESSES))


@contextmanager
def _browser() -> Iterator[Any]:
    """Chromium, or what there is not."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may be missing
    except ImportError:
        yield "playwright is not installed"
        return
    if found is None:
        yield "chromium is not installed"
        return
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()
