"""Time that passes as the test says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fencepost.clock import Clock

Pass = Callable[[float], None]

START = 100.0


@pytest.fixture
def after(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Lets seconds pass; none do by themselves."""
    now = [START]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def let_pass(seconds: float) -> None:
        now[0] += seconds

    return let_pass


def test_a_clock_counts_from_its_start_to_its_limit(after: Pass) -> None:
    clock = Clock(8.0, START)
    assert (clock.seconds, clock.left, clock.over) == (0.0, 8.0, False)
    after(6)
    assert (clock.seconds, clock.left, clock.over) == (6.0, 2.0, False)
    after(2)
    assert (clock.seconds, clock.left, clock.over) == (8.0, 0.0, True)
    after(1)
    assert (clock.seconds, clock.left, clock.over) == (9.0, 0.0, True)


def test_a_clock_without_a_limit_is_never_over(after: Pass) -> None:
    clock = Clock(None, START)
    after(1_000_000)
    assert (clock.seconds, clock.left, clock.over) == (1_000_000.0, None, False)
    assert (clock.slice(3.0), clock.share(0.5).left) == (3.0, None)


def test_a_slice_is_no_more_than_what_is_left(after: Pass) -> None:
    clock = Clock(8.0, START)
    after(6)
    assert (clock.slice(1.0), clock.slice(5.0)) == (1.0, 2.0)


def test_a_share_is_one_of_the_whole_time_and_not_of_what_is_left(after: Pass) -> None:
    clock = Clock(8.0, START)
    after(3)
    share = clock.share(0.5)
    assert (share.seconds, share.left) == (3.0, 1.0)


def test_at_most_is_counted_from_now_and_ends_no_later(after: Pass) -> None:
    clock = Clock(8.0, START)
    after(6)
    soon, late, limited = clock.at_most(1.0), clock.at_most(5.0), Clock(None, START).at_most(5.0)
    assert (soon.seconds, soon.left, late.left, limited.left) == (6.0, 1.0, 2.0, 5.0)
    after(1)
    assert (soon.over, late.over, clock.over) == (True, False, False)
