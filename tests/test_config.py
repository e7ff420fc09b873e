"""Settings from pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.config import Config, load_config, parse_memory
from fencepost.errors import UsageError


def project(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_the_nearest_file_counts_even_if_it_says_nothing(tmp_path: Path) -> None:
    inner = tmp_path / "inner" / "deeper"
    inner.mkdir(parents=True)
    project(tmp_path, "[tool.fencepost]\ndepth = 7\n")
    assert load_config(inner) == Config(depth=7)
    project(tmp_path / "inner", "[project]\nname = 'x'\n")
    assert load_config(inner) == Config()


def test_every_setting(tmp_path: Path) -> None:
    text = """
        [tool.fencepost]
        protocol = "./mine.py"
        depth = 12
        timeout = 2.5
        memory = "2GiB"
        engine = "bmc"
        color = "never"
        [tool.fencepost.sizes.retiring]
        queues = 2
    """
    assert load_config(project(tmp_path, text)) == Config(
        "./mine.py", 12, 2.5, "2GiB", "bmc", "never", {"retiring": {"queues": 2}}
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[tool.fencepost]\ndept = 3", "unknown setting in [tool.fencepost] 'dept'; did you mean 'depth'?"),
        ("[tool.fencepost]\ndepth = -1", "depth must be a whole number from 0 up, not -1"),
        ("[tool.fencepost]\ndepth = true", "depth must be a whole number from 0 up, not True"),
        ("[tool.fencepost]\ntimeout = 'x'", "timeout must be seconds, 0 for no limit, not 'x'"),
        ("[tool.fencepost]\ntimeout = nan", "timeout must be seconds, 0 for no limit, not nan"),
        ("[tool.fencepost]\ntimeout = 1e300", "timeout must be at most 1,000,000 seconds, 0 for no limit, not 1e+300"),
        ("[tool.fencepost]\nmemory = 3", "memory must be a string, not 3"),
        ("[tool.fencepost]\nmemory = '3 apples'", "'3 apples' is not an amount of memory; write it as 512M or 2GiB"),
        (
            "[tool.fencepost]\nengine = 'bcm'",
            "engine must be one of auto, explore, bmc, sat, walk, induction, pdr, learn, all, not",
        ),
        ("[tool.fencepost]\nsizes = {queues = 2}", "write [tool.fencepost.sizes.queues]"),
        ("[tool.fencepost]\nsizes = 2", "write [tool.fencepost.sizes.NAME]"),
        ("[tool.fencepost.sizes.a]\nqueues = 'x'", "sizes.a.queues must be a whole number, not 'x'"),
        ("[tool]\nfencepost = 3", "tool.fencepost must be a table"),
        ("[tool\n", "pyproject.toml: "),
    ],
)
def test_a_bad_setting_is_one_line_with_the_file(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_config(project(tmp_path, text))
    message = str(caught.value)
    assert complaint in message
    assert message.startswith(str(tmp_path / "pyproject.toml"))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "amount"),
    [("1", 1), ("512M", 512 << 20), ("2GiB", 2 << 30), ("2 GB", 2 << 30), ("1.5k", 1536), ("3b", 3)],
)
def test_memory(text: str, amount: int) -> None:
    assert parse_memory(text) == amount


@pytest.mark.parametrize("text", ["", "0", "G", "-1G", "1Q", "1 2"])
def test_memory_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of memory"):
        parse_memory(text)
