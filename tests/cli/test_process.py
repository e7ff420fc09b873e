"""The command as a process: interrupted, with a reader that leaves, on a terminal."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

VERIFY = [sys.executable, "-m", "fencepost"]
ENDLESS = ["--protocol", "recycled-handle", "--queues", "5", "--handles", "4", "--slots", "6", "--timeout", "0"]


@pytest.mark.parametrize("engine", [["--engine", "explore"], ["--engine", "all", "--depth", "60"]], ids=" ".join)
def test_ctrl_c_reports_what_was_covered(engine: list[str], tmp_path: Path) -> None:
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [*VERIFY, *ENDLESS, *engine], stdout=subprocess.PIPE, stderr=theirs, text=True, cwd=tmp_path
    )
    os.close(theirs)
    shown = b""
    while not re.search(rb"explore: depth [1-9]", shown):
        shown += os.read(terminal, 1000)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert process.returncode == 130
    assert "interrupted: " in out
    assert "explore: interrupted, no violation to depth" in out or "NO VIOLATION TO DEPTH" in out
    assert b"states, " in shown
    assert b"MiB, " in shown
    assert "Traceback" not in out


def test_ctrl_c_before_anything_was_checked(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('running', flush=True)\ntime.sleep(600)\n")
    process = subprocess.Popen(
        [*VERIFY, "--protocol", str(slow)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.lstrip()) == (130, "verify: interrupted before anything was checked\n")


@pytest.mark.parametrize("form", [[], ["--json"], ["--list"], ["--help"]], ids=" ".join)
def test_a_reader_that_leaves_is_no_error(form: list[str], counter: str, tmp_path: Path) -> None:
    variant = [] if form == ["--list"] else ["--variant", "brittle"]  # which a list says nothing of
    command = [*VERIFY, "--protocol", counter, *variant, *form]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == (0 if form in (["--list"], ["--help"]) else 1)


def test_both_names_of_the_command_and_the_module_are_one(counter: str, tmp_path: Path) -> None:
    folder = Path(sys.executable).parent
    commands = [VERIFY, [str(folder / "verify")], [str(folder / "fencepost")]]
    args = ["--protocol", counter, "--quiet"]
    told = {subprocess.run([*c, *args], capture_output=True, check=True, cwd=tmp_path).stdout for c in commands}
    assert len(told) == 1


def test_colour_only_on_a_terminal_and_never_with_no_color(counter: str, tmp_path: Path) -> None:
    def shown(environment: dict[str, str], *args: str) -> bytes:
        terminal, theirs = pty.openpty()
        base = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "FORCE_COLOR"}}
        process = subprocess.Popen(
            [*VERIFY, "--protocol", counter, "--quiet", *args],
            stdout=theirs,
            cwd=tmp_path,
            env=base | {"TERM": "xterm-256color"} | environment,
        )
        os.close(theirs)
        output = b""
        try:
            while piece := os.read(terminal, 1000):
                output += piece
        except OSError:
            pass  # how a terminal says that its other side is gone
        process.wait()
        os.close(terminal)
        return output

    assert b"\x1b[32mEXHAUSTED" in shown({})
    assert b"\x1b" not in shown({"NO_COLOR": "1"})
    assert b"\x1b" not in shown({}, "--color", "never")
    assert b"\x1b[32mEXHAUSTED" in shown({"NO_COLOR": "1"}, "--color", "always")


PINS = """
schema = 1
[[pin]]
protocol = "recycled-handle"
sizes = { queues = 1, handles = 1, slots = 1 }
states = 1
[[pin]]
protocol = "recycled-handle"
sizes = { queues = 5, handles = 4, slots = 6 }
states = 1_000_000
[[pin]]
protocol = "recycled-handle"
sizes = { queues = 5, handles = 4, slots = 5 }
states = 900_000
"""
MINE = """
from fencepost_rocm.recycled_handle import protocol
from fencepost_rocm_properties.recycled_handle import properties
"""


def test_ctrl_c_reports_the_rows_that_were_done(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "mine.manifest.toml").write_text(PINS)
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [*VERIFY, "--all", "--protocol", "mine.py", "--jobs", "1", "--timeout", "0", "--junit", "rows.xml"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "FENCEPOST_CACHE": str(tmp_path)},
    )
    os.close(theirs)
    shown = b""
    while not re.search(rb"recycled-handle fixed handles=4 queues=5 slots=6: explore: depth [1-9]", shown):
        shown += os.read(terminal, 1000)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert process.returncode == 130
    assert out.splitlines()[:4] == [
        "recycled-handle fixed handles=1 queues=1 slots=1: interrupted",
        "recycled-handle fixed handles=4 queues=5 slots=6: interrupted",
        "recycled-handle fixed handles=4 queues=5 slots=5: interrupted",
        "recycled-handle buggy: not pinned",
    ]
    assert "<skipped" in (tmp_path / "rows.xml").read_text()
    assert list(tmp_path.rglob("*.toml")) == [tmp_path / "mine.manifest.toml"], "nothing is kept"
    assert "Traceback" not in out
