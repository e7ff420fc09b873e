"""The script that starts TLC: what it would run, and what it asks for. TLC itself is not here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("tlc.sh")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([environment.pop("first", ""), str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, **environment}
    return subprocess.run(["bash", str(SCRIPT), *arguments], capture_output=True, text=True, check=False, env=env)


def test_it_asks_for_a_protocol_and_for_the_tools() -> None:
    asked = run(TLA2TOOLS="")
    assert (asked.returncode, asked.stderr) == (2, "usage: tests/peers/tlc.sh PROTOCOL [VARIANT]\n")
    asked = run("recycled-handle", TLA2TOOLS="")
    assert (asked.returncode, asked.stderr) == (2, "set TLA2TOOLS to the path of tla2tools.jar\n")


def test_it_gives_tlc_a_file_that_is_called_as_its_module(tmp_path: Path) -> None:
    (tmp_path / "tla2tools.jar").touch()
    java = tmp_path / "java"
    java.write_text('#!/bin/sh\nhead -1 "$9"\ngrep SPECIFICATION "$8"\necho "$@"\n')
    java.chmod(0o755)
    done = run("recycled-handle", "buggy", first=str(tmp_path), TLA2TOOLS=str(tmp_path / "tla2tools.jar"))
    head, specification, arguments = done.stdout.splitlines()
    assert head == "---- MODULE recycled_handle_buggy ----"
    assert specification == "SPECIFICATION Spec"
    assert arguments.endswith("tlc2.TLC -workers auto -config recycled_handle_buggy.cfg recycled_handle_buggy.tla")
