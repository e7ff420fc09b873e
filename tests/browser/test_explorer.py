"""The explorer in a real browser: a person finds the deadlock by hand, undoes, and shares the way there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from fencepost.ui.server import Server
from tests.browser.conftest import Seen
from tests.trace.toy import HUNG, TOY

pytestmark = pytest.mark.foreign


@pytest.fixture
def address() -> Iterator[str]:
    with Server(TOY, "toy") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


def length(page: Any, steps: int) -> None:
    page.locator(f"#path li:nth-child({steps})").wait_for()
    page.locator(f"#path li:nth-child({steps + 1})").wait_for(state="detached")


def test_the_deadlock_by_hand(seen: Seen, address: str) -> None:
    page = seen.page
    page.goto(address)
    for number, (name, args) in enumerate(HUNG.path, 1):
        page.click(f"[data-step='{'.'.join((name, *map(str, args)))}']")
        length(page, number)
    assert page.locator("#message").inner_text() == "violated here: no-hang"
    page.click("#closedbox summary")
    assert "“signal down” does not hold" in page.locator("#closed").inner_text()
    page.keyboard.press("u")
    length(page, len(HUNG.path) - 1)
    assert seen.complaints == []
    assert all(url.startswith((address, "data:")) for url in seen.requests)


def test_the_way_there_is_a_link(seen: Seen, address: str) -> None:
    page = seen.page
    page.goto(f"{address}#arm.1%3Bclear.1")
    length(page, 2)
    page.click("#path li:nth-child(1) button")
    length(page, 1)
    assert page.url == f"{address}#arm.1"
    page.go_back()
    length(page, 2)


def test_it_jumps_to_a_counterexample(seen: Seen, address: str) -> None:
    page = seen.page
    page.goto(address)
    page.click("[data-find='not-destroyed']")
    length(page, 4)
    assert page.locator("#message").inner_text() == "violated here: not-destroyed"


def test_a_link_that_is_no_run_says_so(seen: Seen, address: str) -> None:
    page = seen.page
    page.goto(f"{address}#fly")
    page.locator("#message").filter(has_text="an action that the model does not have").wait_for()
