"""A browser to look at pages with: Debian's Chromium without a window, driven by Playwright."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import field, frozen

from tests.foreign import lacking, need


@frozen
class Seen:
    """A page, and what it asked for and complained of."""

    page: Any
    requests: list[str] = field(factory=list)
    complaints: list[str] = field(factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = need("chromium", "chromium-browser", "google-chrome")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may be missing
    except ImportError:
        lacking("playwright")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def seen(browser: Any) -> Iterator[Seen]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    seen = Seen(page)
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.complaints.append(message.text))
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    yield seen
    page.close()
