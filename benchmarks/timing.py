"""Measuring: a process with its seconds and memory, several subjects in turn, and what is said of their figures."""

from __future__ import annotations

import math
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from attrs import frozen, mutable

T = TypeVar("T")


FLOOR = 100 << 20
"""Bytes below which the memory of a process is not told: before it is what it is, it is a copy of this one."""


NO_TIME = "no time left"


@mutable
class End:
    """When no further round begins: at a value of the monotonic clock."""

    at: float = math.inf

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.at


END = End()
"""That of the whole command."""


class NotMeasured(Exception):
    """There is no figure; the message, such as `not installed`, stands where it would."""


@frozen
class Taken:
    """Seconds of the wall's clock, of the processor (user and system), and the most bytes held."""

    wall: float
    cpu: float
    peak: int = 0

    def __add__(self, other: Taken) -> Taken:
        return Taken(self.wall + other.wall, self.cpu + other.cpu, max(self.peak, other.peak))


@frozen
class Ran:
    """What a process printed and took, its children's share included."""

    output: str
    taken: Taken


def run(command: Sequence[str | Path], folder: Path, seconds: float, codes: tuple[int, ...] = (0,)) -> Ran:
    """Run a process to its end.

    Raises:
        NotMeasured: it is not there, took longer, or ended with another exit code.
    """
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        try:
            process = subprocess.Popen(
                command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            )
        except OSError:
            raise NotMeasured("not installed") from None
        timer = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        wall = time.monotonic() - started
        process.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read().decode(errors="replace")
    if code not in codes:
        if code == -signal.SIGKILL and wall >= seconds:
            raise NotMeasured(f"over {seconds:.0f} s")
        last = (output.strip().splitlines() or ["no message"])[-1]
        raise NotMeasured(f"ended with status {code}: {last[:80]}")
    return Ran(output, Taken(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024))


def in_turn(
    subjects: Mapping[str, Callable[[], T]], rounds: int, warm_up: int = 1
) -> tuple[dict[str, list[T]], dict[str, str]]:
    """Each subject so often, one after the other in each round, so that the machine's other work falls on all alike.

    Rounds to warm up come first and are not kept. A subject that fails once is out, with its reason in
    the second mapping. Where time ends, the rounds that were finished count.
    """
    kept: dict[str, list[T]] = {name: [] for name in subjects}
    failed: dict[str, str] = {}
    for number in range(warm_up + rounds):
        if END.over:
            if number <= warm_up:
                failed = {name: failed.get(name, NO_TIME) for name in subjects}
                kept = {}
            break
        for name, subject in subjects.items():
            if name in failed:
                continue
            try:
                found = subject()
            except NotMeasured as error:
                failed[name] = str(error)
                del kept[name]
            else:
                if number >= warm_up:
                    kept[name].append(found)
    return kept, failed


@frozen
class Spread:
    """The median of some figures, the least and the greatest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Spread:
        """Of at least one figure."""
        return cls(statistics.median(figures), min(figures), max(figures))

    def told(self, form: Callable[[float], str]) -> str:
        """As it stands in a table: the median, and in brackets how far the others lie apart."""
        middle, low, high = form(self.median), form(self.low), form(self.high)
        return middle if low == high else f"{middle} ({low} to {high})"


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """How many times theirs ours is, of the pairs of each round."""
    return Spread.of([our / their for our, their in zip(ours, theirs, strict=True)])
