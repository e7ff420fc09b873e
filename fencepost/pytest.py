"""A plugin for pytest: each property of a protocol is a test.

`pytest -p fencepost.pytest --fencepost-protocol FILE.py`; docs/pytest.md has the options. It is no entry
point: pytest would rewrite the assertions of all of fencepost, and import it in each run of anything.
Nothing here is to be rewritten (PYTEST_DONT_REWRITE), so it does not matter who imports it first.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import click
import pytest
from attrs import frozen

from fencepost.check import Check, Decision, Outcome, check
from fencepost.cli.choosing import ModelChoices, build
from fencepost.cli.options import seconds, whole
from fencepost.cli.saving import file_stem, trace_files, write_files
from fencepost.config import DEFAULT_TIMEOUT, Config
from fencepost.engines import Limits
from fencepost.errors import FencepostError
from fencepost.ir.model import Model
from fencepost.manifest import known, load
from fencepost.registry import Entry, find
from fencepost.report import remark, verdict_words
from fencepost.trace.model import Trace
from fencepost.trace.text import render_text
from fencepost.verdict import OBLIGATIONS, Verdict

INI = "fencepost_protocols"
FAILURES = (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.INCONCLUSIVE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which protocols, and how far."""
    group = parser.getgroup("fencepost", "properties of protocols as tests")
    group.addoption(
        "--fencepost-protocol",
        action="append",
        default=[],
        metavar="NAME|FILE.py",
        help=f"Test the properties of this protocol; repeatable. Without it those of the ini option {INI}, if any.",
    )
    group.addoption(
        "--fencepost-depth", type=_read(whole), metavar="N", help="Every run of at most N steps. [until exhausted]"
    )
    group.addoption("--fencepost-variant", metavar="NAME", help="A named difference from the protocol.")
    group.addoption(
        "--fencepost-size",
        action="append",
        default=[],
        type=_size,
        metavar="NAME=N",
        help="How many there are of something; repeatable.",
    )
    for name, what in (("with", "on"), ("without-feature", "off")):
        group.addoption(
            f"--fencepost-{name}", action="append", default=[], metavar="F,G", help=f"Switch optional features {what}."
        )
    group.addoption(
        "--fencepost-timeout", type=_read(seconds), metavar="S", help="Seconds an engine may take; 0: no limit. [60]"
    )
    group.addoption("--fencepost-export", metavar="DIR", help="Write the traces of what is violated there.")
    parser.addini(INI, "Protocols whose properties are tested when pytest is given no paths.", "linelist", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that would do nothing."""
    given = ["depth", "variant", "size", "with", "without-feature", "timeout", "export"]
    idle = [f"--fencepost-{name}" for name in given if _option(config, name) not in (None, [])]
    if idle and not config.getoption("fencepost_protocol") and not config.getini(INI):
        raise pytest.UsageError(f"{idle[0]} is of no protocol; say which with --fencepost-protocol NAME|FILE.py")
    sizes = [name for name, _ in _option(config, "size")]
    if twice := sorted({name for name in sizes if sizes.count(name) > 1}):
        raise pytest.UsageError(f"--fencepost-size says {twice[0]} twice; give each size once")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by -k and -m
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each property."""
    for name in _protocols(config):
        items.extend(session.genitems(_collector(session, name)))


def _option(config: pytest.Config, name: str) -> Any:
    """What an option was given, by its name without what all of ours begin with."""
    return config.getoption(f"fencepost_{name.replace('-', '_')}")


def _protocols(config: pytest.Config) -> list[str]:
    """Those of the command line; else those of the ini file, if no paths were given, as with `testpaths`."""
    asked: list[str] = config.getoption("fencepost_protocol")
    if asked or config.args_source is pytest.Config.ArgsSource.ARGS:
        return list(dict.fromkeys(asked))
    beside = config.rootpath if config.inipath is None else config.inipath.parent
    return list(dict.fromkeys(_from(beside, name) for name in config.getini(INI)))


def _from(folder: Path, name: str) -> str:
    """The name; if it is a file's, relative to the working directory instead of to that folder."""
    is_file = name.endswith(".py") or ".py:" in name
    return Path(os.path.relpath(folder / name)).as_posix() if is_file else name


def _read(parse: Callable[[click.Context, click.Parameter, str], Any]) -> Callable[[str], Any]:
    """An option's text read as `verify` reads it, and refused as pytest refuses it."""

    def read(text: str) -> Any:
        try:
            return parse(click.Context(click.Command("pytest")), click.Option(["--option"]), text)
        except click.BadParameter as error:
            raise argparse.ArgumentTypeError(error.message) from error

    return read


def _size(text: str) -> tuple[str, int]:
    """A size's name and how many."""
    name, equals, count = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=N, such as queues=2")
    return name, _read(whole)(count)


def _collector(session: pytest.Session, name: str) -> ProtocolCollector:
    """A protocol of that name; a file's has the test ids of a file."""
    path, _, chosen = name.partition(".py:")
    if not chosen and not name.endswith(".py"):
        return ProtocolCollector.from_parent(session, name=name, nodeid=name)
    file = Path(f"{path}.py" if chosen else name).absolute()
    root = session.config.rootpath
    shown = (file.relative_to(root) if file.is_relative_to(root) else Path(file.name)).as_posix()
    return ProtocolCollector.from_parent(session, name=name, path=file, nodeid=f"{shown}:{chosen}".rstrip(":"))


class ProtocolCollector(pytest.Collector):
    """A protocol, checked once for all properties of which a test is run."""

    def collect(self) -> Iterator[pytest.Item]:
        try:
            names = [*(prop.name for prop in self.model.properties), OBLIGATIONS]
        except FencepostError as error:
            raise self.CollectError(str(error)) from error
        variant = self.model.variant
        for name in names:
            shown = name if variant is None else f"{name}[{variant}]"
            yield PropertyItem.from_parent(self, name=shown, about=name)

    @cached_property
    def entry(self) -> Entry:
        return find(self.name)

    @cached_property
    def model(self) -> Model:
        variant, on, off = (_option(self.config, name) for name in ("variant", "with", "without-feature"))
        choices = ModelChoices(variant, tuple(on), tuple(off))
        return build(self.entry, choices, Config(), dict(_option(self.config, "size")))

    @cached_property
    def checked(self) -> Check:
        """What came out; kept, so that the other properties' tests need not ask again."""
        tests = [item for item in self.session.items if isinstance(item, PropertyItem) and item.parent is self]
        timeout = self.config.getoption("fencepost_timeout")
        result = check(
            self.model,
            "auto",
            Limits(
                depth=self.config.getoption("fencepost_depth"),
                timeout=DEFAULT_TIMEOUT if timeout is None else timeout or None,
            ),
            properties=tuple(item.about for item in tests if item.about != OBLIGATIONS),
            known=known(load(self.entry.manifest).of(self.model)),
        )
        if result.outcome() is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        return result


@frozen
class Headline:
    """What pytest's summary says of a failure, in the place where it looks."""

    message: str


@frozen
class FailureText:
    """A failure as text. Its summary is the first line: under CI pytest repeats all of what is a plain string."""

    text: str

    @property
    def reprcrash(self) -> Headline:
        return Headline(self.text.partition("\n")[0])

    def toterminal(self, tw: Any) -> None:
        for line in self.text.splitlines():
            tw.line(line)

    def __str__(self) -> str:
        return self.text


class Refuted(Exception):
    """A property does not hold, or is not known to; the message is for a person."""


class PropertyItem(pytest.Item):
    """A test: this property holds, as far as was asked. The obligations are one more."""

    parent: ProtocolCollector

    def __init__(self, *, about: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.about = about

    def runtest(self) -> None:
        failures = []
        for decision in self._decisions():
            words = [verdict_words(decision), remark(decision, several=False)]
            verdict = f"{decision.name}: {', '.join(filter(None, words))}"
            self.user_properties.append(("fencepost", verdict))
            if decision.verdict in FAILURES:
                failures.append(self._told(decision, verdict))
        if failures:
            raise Refuted("\n".join(failures))

    def _decisions(self) -> list[Decision]:
        """The property's own; of the obligations each that is broken, or one for them all."""
        found = self.parent.checked.decisions
        if self.about != OBLIGATIONS:
            return [decision for decision in found if decision.name == self.about]
        properties = {prop.name for prop in self.parent.model.properties}
        return [decision for decision in found if decision.name not in properties]

    def _told(self, decision: Decision, verdict: str) -> str:
        """Why it fails: the counterexample, where it was written, and how to see it again."""
        lines = [verdict]
        if decision.trace is not None:
            lines += ["", render_text(decision.trace)]
            for path in self._exported(decision.trace):
                self.user_properties.append(("fencepost-trace", path))
                lines.append(f"written: {path}")
        return "\n".join([*lines, f"again: {self._command()}"])

    def _exported(self, trace: Trace) -> list[str]:
        """Write the trace to a folder of the protocol's name, as `verify --export` does."""
        into, entry = self.config.getoption("fencepost_export"), self.parent.entry
        if into is None:
            return []
        folder = Path(into) / file_stem(entry.name)
        stem = f"{file_stem(self.parent.model.variant or entry.protocol.default)}.{file_stem(trace.header.violated)}"
        contents = {**trace_files(trace, stem, entry, folder), f"{stem}.txt": render_text(trace)}
        write_files(folder, contents)
        return [(folder / name).as_posix() for name in sorted(contents)]

    def _command(self) -> str:
        words = ["verify", "--protocol", self.parent.name]
        for option in ("variant", "depth", "timeout"):
            value = _option(self.config, option)
            words += [] if value is None else [f"--{option}", f"{value:g}" if option == "timeout" else str(value)]
        for name, count in _option(self.config, "size"):
            words += [f"--{name}", str(count)]
        for option in ("with", "without-feature"):
            words += [word for value in _option(self.config, option) for word in (f"--{option}", value)]
        words += [] if self.about == OBLIGATIONS else ["--property", self.about]
        return shlex.join(words)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, (Refuted, FencepostError)):
            return FailureText(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
