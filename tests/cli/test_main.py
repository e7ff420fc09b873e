"""The entry point's promise: one line and an exit code, whatever happens."""

from __future__ import annotations

import pytest

from fencepost.errors import InternalError
from tests.cli.conftest import Verify


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InternalError("bmc and explore disagree"), "internal error: bmc and explore disagree"),
        (ZeroDivisionError("by\nzero"), "internal error: ZeroDivisionError: by zero ("),
        (AssertionError(), "internal error: AssertionError: ("),
    ],
)
def test_a_defect_of_ours_is_exit_70(
    verify: Verify, counter: str, monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("fencepost.cli.verify.check", fail)
    ran = verify("--protocol", counter)
    assert (ran.code, ran.out) == (70, "")
    assert f"verify: {line}" in ran.err
    assert ran.err.count("\n") == 1


def test_the_traceback_is_there_for_who_asks(verify: Verify, counter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.cli.verify.check", None)
    monkeypatch.setenv("FENCEPOST_TRACEBACK", "1")
    ran = verify("--protocol", counter)
    assert ran.code == 70
    assert "Traceback" in ran.err
