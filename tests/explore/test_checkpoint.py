"""A search kept in a file: going on from it is as if nothing had happened, and a bad file is refused in a line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from attrs import evolve

from fencepost.errors import UsageError
from fencepost.explore import bfs, compiler, keeper
from fencepost.explore.compiler import find_compiler
from fencepost.ir.model import Model
from fencepost.verdict import Manner, ProgressEvent, Run, Stop
from tests.explore.test_bfs import GRID

pytestmark = [
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
    pytest.mark.usefixtures("own_cache"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A checkpoint of the grid after two levels."""
    path = tmp_path / "kept"
    found = bfs.run(GRID, depth=2, manner=Manner(checkpoint=path))
    assert found.reason == f"kept in {path} up to depth 2; go on with --resume"
    return path


def whole(model: Model = GRID, **how: object) -> Run:
    return evolve(bfs.run(model, **how), seconds=0, reason="")  # type: ignore[arg-type]


def resumed(path: Path, model: Model = GRID, threads: int = 1) -> Run:
    return whole(model, manner=Manner(threads, path, resume=True))


@pytest.mark.parametrize("threads", [1, 2])
def test_going_on_is_as_if_nothing_had_happened(file: Path, threads: int) -> None:
    assert resumed(file, threads=threads) == whole()


def test_what_was_found_before_is_found_after(tmp_path: Path) -> None:
    """The violation lies before the checkpoint."""
    path = tmp_path / "kept"
    bfs.run(GRID, depth=3, manner=Manner(checkpoint=path))
    assert [finding.name for finding in resumed(path).findings] == ["never both"]
    assert resumed(path) == whole()


def test_time_that_is_up_keeps_what_there_was(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    found = bfs.run(GRID, timeout=0, manner=Manner(checkpoint=path))
    assert found.stop is Stop.TIMEOUT
    assert resumed(path) == whole()


def test_ctrl_c_keeps_the_level_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bfs, "_PROGRESS_SECONDS", 0)

    def interrupt(event: ProgressEvent) -> None:
        if event.depth == 2:
            raise KeyboardInterrupt

    path = tmp_path / "kept"
    found = bfs.run(GRID, progress=interrupt, manner=Manner(checkpoint=path))
    assert (found.stop, found.reason) == (
        Stop.INTERRUPTED,
        f"kept in {path} up to depth 2; go on with --resume",
    )
    assert resumed(path) == whole()


def test_levels_are_kept_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "EVERY", 0.0)
    path = tmp_path / "kept"
    assert bfs.run(GRID, manner=Manner(checkpoint=path)).stop is Stop.EXHAUSTED
    assert resumed(path) == whole()


def test_a_checkpoint_may_be_gone_on_from_many_times(file: Path) -> None:
    for depth in (3, 4):
        bfs.run(GRID, depth=depth, manner=Manner(checkpoint=file, resume=True))
    assert resumed(file) == whole()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: b"# a page\n" + data, "is not a checkpoint"),
        (lambda data: b"", "is not a checkpoint|cannot"),
        (lambda data: data[:-3], "is damaged"),
        (lambda data: data + b"x", "is damaged"),
        (lambda data: data[:-9] + b"\1" + data[-8:], "is damaged"),
        (lambda data: data.replace(b'"count": 6', b'"count": 5'), "is damaged"),
        (lambda data: data.replace(b"{", b"[", 1), "is damaged"),
        (lambda data: data.replace(b'"levels"', b'"Levels"'), "is damaged"),
        (lambda data: data[:40], "is damaged"),
        (lambda data: data.replace(b'"model": "', b'"model": "0', 1), "is of another model"),
    ],
)
def test_a_damaged_file_is_refused(file: Path, damage: object, says: str) -> None:
    data = file.read_bytes()
    changed = damage(data)  # type: ignore[operator]
    assert changed != data
    file.write_bytes(changed)
    with pytest.raises(UsageError, match=says) as refused:
        resumed(file)
    assert "\n" not in str(refused.value)


def test_one_of_another_model_is_refused(file: Path) -> None:
    with pytest.raises(UsageError, match="is of another model, other properties or another version"):
        resumed(file, evolve(GRID, properties=GRID.properties[:1]))


def test_one_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*none: No such file"):
        resumed(tmp_path / "none")


def test_without_a_compiler_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.explore.native.find_compiler", lambda: None)
    with pytest.raises(UsageError, match=r"a search in Python cannot be kept in .*: no C compiler was found"):
        bfs.run(GRID, manner=Manner(checkpoint=tmp_path / "kept"))


def test_a_full_disk_ends_neither_the_search_nor_the_last_checkpoint(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    found = bfs.run(GRID, depth=3, manner=Manner(checkpoint=file, resume=True))
    assert found.stop is Stop.DEPTH
    assert found.reason == f"not kept in {file}: No space left on device"
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert resumed(file) == whole()


def test_ctrl_c_while_it_is_written_leaves_the_last_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bfs.run(GRID, depth=3, manner=Manner(checkpoint=file, resume=True))
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert resumed(file) == whole()


def test_another_compiler_may_go_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_OPTIONS", ("-O0", *compiler._OPTIONS[1:]))
    assert resumed(file) == whole()
