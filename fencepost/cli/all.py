"""`verify --all`: look again at everything that is pinned, many rows at a time."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen, mutable
from rich.console import Console
from rich.text import Text

from fencepost.cli.options import FILE, in_a_folder, one_of
from fencepost.cli.saving import write_files
from fencepost.engines import Limits
from fencepost.errors import UsageError
from fencepost.memory import default_limit
from fencepost.progress import ProgressBlock, describe
from fencepost.registry import Entry
from fencepost.report import amount, columns
from fencepost.rows.cache import VerdictCache
from fencepost.rows.junit import junit
from fencepost.rows.row import CI, PROFILES, Profile, Row, all_rows, rows_of, shard
from fencepost.rows.run import Outcome, Result, Task, exit_code, run_rows, settled
from fencepost.verdict import Manner

_STYLES = {Outcome.AS_PINNED: "green", Outcome.NOT_RUN: "yellow", Outcome.INTERRUPTED: "yellow"}
_SHARD = re.compile(r"(\d+)/(\d+)", re.ASCII)


def _jobs(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is not a number of processes; give 1 or more", param=param)
    return int(value)


def _part(_: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    match = _SHARD.fullmatch(value)
    if match is None:
        raise click.BadParameter(f"{value!r} is not a shard; write which of how many, as 2/4", param=param)
    number, of = int(match[1]), int(match[2])
    if not 1 <= number <= of:
        first_to_last = f"; they are 1/{of} to {of}/{of}" if of else ""
        raise click.BadParameter(f"there is no shard {value}{first_to_last}", param=param)
    return number, of


OPTIONS = (
    click.option("--all", "all_", is_flag=True, help="Look again at everything pinned, of --protocol or of all."),
    click.option("--profile", metavar="NAME", callback=one_of(*PROFILES), help="With --all: ci or deep.  [ci]"),
    click.option("--jobs", metavar="N", callback=_jobs, help="With --all: so many rows at a time.  [cores]"),
    click.option("--shard", metavar="K/N", callback=_part, help="With --all: the K-th of N parts of the rows."),
    click.option(
        "--junit",
        metavar="FILE",
        type=FILE,
        callback=in_a_folder,
        help="With --all: write the results as JUnit XML, too.",
    ),
    click.option("--times", is_flag=True, help="With --all: say how many seconds each row took."),
    click.option("--no-cache", is_flag=True, help="With --all: run every row, and keep no verdict."),
)


@frozen
class AllChoices:
    """What the command line says of `--all`."""

    all_: bool
    profile: str | None
    jobs: int | None
    shard: tuple[int, int] | None
    junit: Path | None
    times: bool
    no_cache: bool

    @classmethod
    def taken_out_of(cls, options: dict[str, Any]) -> AllChoices:
        """Take the options of `--all` out of all options.

        Raises:
            UsageError: some are there, but `--all` is not.
        """
        own = cls(**{name: options.pop(name) for name in ("all_", *_OTHERS)})
        given = [option for name, option in _OTHERS.items() if getattr(own, name)]
        if given and not own.all_:
            raise UsageError(f"{given[0]} goes with --all")
        return own


_OTHERS = {
    "profile": "--profile",
    "jobs": "--jobs",
    "shard": "--shard",
    "junit": "--junit",
    "times": "--times",
    "no_cache": "--no-cache",
}


@frozen
class Share:
    """What the user gives each row: seconds an engine (0: no limit), bytes, and threads; None is what is fair."""

    timeout: float | None = None
    memory: int | None = None
    threads: int | None = None

    def limits(self, profile: Profile, jobs: int) -> Limits:
        """The limits of a row of which so many run at a time."""
        free = default_limit()
        return Limits(
            timeout=profile.seconds if self.timeout is None else self.timeout or None,
            memory=self.memory or (None if free is None else free // jobs),
            manner=Manner(self.threads or max(1, (os.cpu_count() or 1) // jobs)),
        )


def run_all(chosen: AllChoices, entry: Entry | None, share: Share, console: Console, *, quiet: bool) -> int:
    """Run the rows of one protocol or of every installed one, print what became of them, and give the exit code."""
    profile = PROFILES[chosen.profile or CI.name]
    every = all_rows() if entry is None else list(rows_of(entry))
    rows = every if chosen.shard is None else shard(every, *chosen.shard, profile)
    view = _View(rows, console, quiet=quiet, times=chosen.times)
    to_run = []
    for row in rows:
        known = settled(row, profile)
        if known is None:
            to_run.append(row)
        else:
            view.take(known)
    jobs = max(1, min(chosen.jobs or os.cpu_count() or 1, len(to_run)))
    limits = share.limits(profile, jobs)
    cache = None if chosen.no_cache else VerdictCache.of_user()
    run_rows([Task(row, limits, profile.bmc, cache) for row in to_run], jobs, view.take, view.progress)
    results = view.end()
    for line in _summary(results, len(every), chosen.shard):
        console.print(line, soft_wrap=True, highlight=False)
    if chosen.junit is not None:
        write_files(chosen.junit.parent, {chosen.junit.name: junit(results, times=chosen.times)})
    return exit_code(results)


@mutable
class _View:
    """Prints a line a row, in the rows' order: a row that ends early waits for those before it."""

    rows: Sequence[Row]
    console: Console
    quiet: bool = field(kw_only=True)
    times: bool = field(kw_only=True)
    _block: ProgressBlock | None = field(init=False)
    _done: dict[int, Result] = field(factory=dict, init=False)
    _printed: int = field(default=0, init=False)
    _told: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._block = ProgressBlock(sys.stderr) if sys.stderr.isatty() and not self.quiet else None

    @property
    def progress(self) -> Callable[[Row, Any], None] | None:
        block = self._block
        return None if block is None else lambda row, event: block.tell(row.title, describe(event))

    def take(self, result: Result) -> None:
        """A row has ended."""
        self._done[self.rows.index(result.row)] = result
        if self._block is not None:
            self._block.drop(result.row.title)
        if result.notice and not self._told:
            self._told = True
            click.echo(f"verify: {result.notice}", err=True)
        while self._printed in self._done:
            self._print(self._done[self._printed])
            self._printed += 1

    def _print(self, result: Result) -> None:
        if self.quiet and result.outcome is Outcome.AS_PINNED:
            return
        self.console.print(_line(result, times=self.times), soft_wrap=True, highlight=False)
        self.console.file.flush()

    def end(self) -> list[Result]:
        """Every result, in the rows' order."""
        return [self._done[i] for i in range(len(self.rows))]


def _line(result: Result, *, times: bool) -> Text:
    """Such as `retiring no-pin: states: pinned 8, now 7`."""
    said = "; ".join(result.lines)
    if result.outcome not in (Outcome.AS_PINNED, Outcome.DIFFERS):
        said = f"{result.outcome.value}: {said}" if said else result.outcome.value
    said = "; ".join([said or result.outcome.value, *result.remarks])
    seconds = f" ({result.seconds:.1f} s)" if times and result.seconds else ""
    kept = " (kept)" if result.kept else ""
    return Text(f"{result.row.title}: {said}{kept}{seconds}", style=_STYLES.get(result.outcome, "bold red"))


def _summary(results: Sequence[Result], every: int, part: tuple[int, int] | None) -> Iterator[Text]:
    """A table with a line a protocol, and what is to be done about rows that are not as pinned."""
    shown = [outcome for outcome in Outcome if any(result.outcome is outcome for result in results)]
    shown = [Outcome.AS_PINNED, *(outcome for outcome in shown if outcome is not Outcome.AS_PINNED)]
    by_protocol: dict[str, list[Result]] = {}
    for result in results:
        by_protocol.setdefault(result.row.title.split(" ")[0], []).append(result)
    table = [["protocol", "rows", "states", *(outcome.value for outcome in shown), "of these kept"]]
    for name, mine in [*by_protocol.items(), ("all", list(results))]:
        looked = sum(result.row.states for result in mine if result.now is not None)
        counts = [sum(result.outcome is outcome for result in mine) for outcome in shown]
        kept = sum(result.kept for result in mine)
        table.append([name, str(len(mine)), f"{looked:,}", *(str(count) for count in counts), str(kept)])
    yield Text()
    for i, cells in enumerate(columns(table, right=range(1, len(table[0])))):
        yield Text("  ".join(cells).rstrip(), style="dim" if i == 0 else "")
    if part is not None:
        yield Text(f"shard {part[0]}/{part[1]}: {amount(len(results), 'row')} of {every}")
    differing = sorted({result.row.subject for result in results if result.outcome is Outcome.DIFFERS})
    if differing:
        yield Text()
        yield Text("What is not as pinned, and is right, is pinned anew:")
        for subject in differing:
            yield Text(f"  verify pins --protocol {subject} --update")


def refuse_other_options(given: dict[str, bool]) -> None:
    """The pins say what is checked, and how far.

    Raises:
        UsageError: an option says so too.
    """
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"--all looks at what is pinned, as it is pinned; leave out {option}")
