"""What holds for every test: the same random programs every day, others in each deep run."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.foreign import ASKED_FOR, WITHOUT
from tests.profile import DEEP, examples

# A job that `nohup` began ignores Ctrl-C, and so would every process that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "fencepost", deadline=None, database=None, derandomize=not DEEP, print_blob=True, max_examples=examples(100)
)
settings.load_profile("fencepost")


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No compiled model or verdict of an earlier run, and none left for a later one: a module's tests share theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FENCEPOST_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs the tools of others, where nobody asked for them."""
    if "FENCEPOST_TOOLS" not in os.environ:
        for item in items:
            if item.get_closest_marker("foreign"):
                item.add_marker(ASKED_FOR)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was not run because a tool that is not ours is not there."""
    reasons = [
        report.longrepr[2] for report in terminalreporter.getreports("skipped") if isinstance(report.longrepr, tuple)
    ]
    lacking = sorted({reason.partition(WITHOUT)[2].strip() for reason in reasons if WITHOUT in reason})
    for tool in lacking:
        count = sum(reason.endswith(f"{WITHOUT} {tool}") for reason in reasons)
        terminalreporter.write_line(f"{count} tests {WITHOUT} {tool}")
