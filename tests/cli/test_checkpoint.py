"""Threads, checkpoints and going on from them, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.explore.compiler import find_compiler
from tests.cli.conftest import Verify

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FENCEPOST_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def test_a_search_is_kept_and_gone_on_with(verify: Verify, counter: str, tmp_path: Path) -> None:
    explore = ("--protocol", counter, "--engine", "explore", "--workers", "2")
    kept = verify(*explore, "--depth", "1", "--checkpoint", "kept")
    assert kept.code == 0
    assert "(kept in kept up to depth 1; go on with --resume)" in kept.out
    assert verify(*explore, "--resume", "kept") == verify(*explore)
    assert (tmp_path / "kept").is_file()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--resume", "none"), "cannot read none: No such file or directory"),
        (("--resume", "text"), "text is not a checkpoint"),
        (("--resume", "text", "--checkpoint", "other"), "--resume keeps the search where it was kept before; leave"),
        (("--engine", "bmc", "--resume", "text"), "--engine bmc has no search to keep; --checkpoint and --resume are"),
        (("--workers", "0"), "Invalid value for '--workers': it takes at least 1"),
        (("--workers", "all"), "Invalid value for '--workers': 'all' is not a whole number"),
    ],
)
def test_what_cannot_be_is_a_line(
    verify: Verify, counter: str, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    (tmp_path / "text").write_text("# a page\n", encoding="utf-8")
    ran = verify("--protocol", counter, *options)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1


def test_one_of_another_size_is_a_line(verify: Verify, counter: str) -> None:
    verify("--protocol", counter, "--engine", "explore", "--depth", "1", "--checkpoint", "kept")
    ran = verify("--protocol", counter, "--limit", "4", "--resume", "kept")
    assert ran.code == 2
    assert ran.err == "verify: kept is of another model, other properties or another version of fencepost\n"
