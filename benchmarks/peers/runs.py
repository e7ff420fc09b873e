"""Running rumur and SPIN on the recycled handle, each built the way that is fastest and right.

SPIN built by gcc 12 with `-O2` alone loses half of the states and says nothing of it; with
`-fno-tree-slp-vectorize` it finds them all. Hence callers compare the count.
"""

from __future__ import annotations

import re
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

HERE = Path(__file__).parent

Sizes = tuple[int, int, int]
"""Queues, handles, slots."""


@frozen
class PeerRun:
    """What a peer found, and the seconds it took."""

    states: int
    wall: float
    cpu: float


def spin(scratch: Path, sizes: Sizes) -> Callable[[], PeerRun]:
    """SPIN, breadth first, without the reduction that finds nothing here to reduce."""
    defines = [f"-D{name}={value}" for name, value in zip("QHK", sizes, strict=True)]
    # HID keeps helper variables out of the state, which breadth first does not know: they are 0 in every state.
    subprocess.run(
        ["spin", "-a", *defines, "-DFIXED=1", "-DHID=", HERE / "recycled_handle.pml"], check=True, cwd=scratch
    )
    flags = [
        "-O2",
        "-march=native",
        "-fno-tree-slp-vectorize",
        "-w",
        "-DSAFETY",
        "-DNOREDUCE",
        "-DBFS",
        "-DMEMLIM=8000",
    ]
    subprocess.run(["cc", *flags, "-DMEMLIM=8000", "-o", "pan", "pan.c"], check=True, cwd=scratch)
    return lambda: _timed([scratch / "pan", "-w24"], r"(\d+) states, stored")


def rumur(scratch: Path, sizes: Sizes, threads: int = 2) -> Callable[[], PeerRun]:
    """Rumur, with threads."""
    text = (HERE / "recycled_handle.m").read_text(encoding="utf-8")
    values = {**dict(zip("QHK", map(str, sizes), strict=True)), "FIXED": "1", "QT": f"0..{sizes[0] - 1}"}
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    (scratch / "model.m").write_text(text, encoding="utf-8")
    command = ["rumur", "--threads", str(threads), "--output", "rumur.c", "model.m"]
    subprocess.run(command, check=True, cwd=scratch, capture_output=True)
    flags = ["-std=c11", "-O3", "-march=native", "-mcx16", "-w"]
    subprocess.run(["cc", *flags, "-o", "rumur", "rumur.c", "-lpthread"], check=True, cwd=scratch)
    return lambda: _timed([scratch / "rumur"], r"(\d+) states, ")


def _timed(command: list[str | Path], pattern: str) -> PeerRun:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(pattern, done.stdout)
    if not found:
        raise SystemExit(f"{command[0]} ended with status {done.returncode} and counted no states")
    return PeerRun(int(found[-1]), wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
