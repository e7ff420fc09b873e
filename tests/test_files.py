"""Files that others wrote are read within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fencepost.errors import UsageError
from fencepost.files import printable, read_bytes, read_text


def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xc3\xa4\xff")
    assert read_bytes(tmp_path / "file", "trace", most=3) == b"\xc3\xa4\xff"
    assert read_text(tmp_path / "file", "trace") == "\u00e4\ufffd"


def test_more_than_anybody_writes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1234")
    with pytest.raises(UsageError, match="file: 4 bytes are more than any trace has"):
        read_bytes(tmp_path / "file", "trace", most=3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="pipe: cannot be read: it is not a regular file; copy what it gives into one"):
        read_bytes(tmp_path / "pipe", "trace")


def test_a_folder_and_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_bytes(tmp_path, "trace")
    with pytest.raises(UsageError, match="cannot be read: "):
        read_bytes(tmp_path / ("n" * 300), "trace")


def test_what_is_quoted_is_one_short_line() -> None:
    assert printable("a\x1b[2Jb\n" + "c" * 400) == "a?[2Jb?" + "c" * 293
