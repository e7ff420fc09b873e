"""`verify record`: the counterexamples that are kept, each found anew and written as files to commit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from attrs import frozen

from fencepost.check import check
from fencepost.cli.options import FOLDER, seconds
from fencepost.cli.saving import file_stem, trace_files, write_files
from fencepost.engines import Limits
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.manifest import load
from fencepost.registry import Entry, find
from fencepost.report import amount
from fencepost.trace.model import Trace
from fencepost.verdict import Stop


@frozen
class Wanted:
    """A counterexample to record: how `model` violates `violated`, in files called `stem`."""

    stem: str
    model: Model
    violated: str


@click.command("record")
@click.option("--protocol", metavar="NAME|FILE.py", required=True, help="Whose counterexamples.")
@click.option(
    "--into",
    metavar="DIR",
    type=FOLDER,
    default="counterexamples",
    help="Write them to the folder of the protocol's name there.  [counterexamples]",
)
@click.option("--timeout", metavar="S", callback=seconds, help="Seconds a search may take; 0: no limit.  [60]")
def record(protocol: str, into: Path, timeout: float | None) -> int:
    """Record how each variant breaks what it says, and each finding.

    Writes a shortest counterexample of each as .itf.json and .md, or nothing. A finding is a violation
    for which the manifest names an entry of docs/findings.md.

    Exit codes: 0 recorded, 2 usage or model error, or a violation that was not found.
    """
    entry = find(protocol)
    folder = into / file_stem(entry.name)
    limits = Limits(None, 60.0 if timeout is None else timeout or None)
    contents: dict[str, str] = {}
    for wanted in _wanted(entry):
        trace = _search(wanted, limits)
        files = trace_files(trace, wanted.stem, entry, folder)
        contents |= files
        click.echo(f"{wanted.stem}: {amount(len(trace.steps), 'step')}, {_compared(files, folder)}")
    write_files(folder, contents)
    for path in sorted(folder.iterdir()):
        if path.name not in contents:
            click.echo(f"left over: {path}")
    return 0


def _wanted(entry: Entry) -> Iterator[Wanted]:
    """Each variant that breaks something, at its own sizes and features; then each finding where it is pinned."""
    wanted: dict[str, Wanted] = {}
    for variant in entry.protocol.variants:
        if variant.breaks is not None:
            model = entry.build(variant=variant.name)
            each = Wanted(_stem(entry, model, variant.breaks), model, variant.breaks)
            wanted.setdefault(each.stem, each)
    for pin in load(entry.manifest).pin:
        findings = [name for name, prop in pin.properties.items() if prop.finding is not None]
        if pin.protocol == entry.name and findings:
            model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
            for name in findings:
                wanted.setdefault(stem := _stem(entry, model, name), Wanted(stem, model, name))
    yield from wanted.values()


def _stem(entry: Entry, model: Model, violated: str) -> str:
    """Such as `buggy.no-hang`; where the features are not the variant's own, `fixed.with-timing.no-hang`."""
    parts = [model.variant or entry.protocol.default, violated]
    if frozenset(model.features) != entry.features(model.variant):
        parts.insert(1, "-".join(["with", *sorted(model.features)]) if model.features else "without-features")
    return ".".join(map(file_stem, parts))


def _search(wanted: Wanted, limits: Limits) -> Trace:
    """A shortest run to the violation.

    Raises:
        UsageError: there is none, or none was found in the time.
    """
    known = [prop.name for prop in wanted.model.properties]
    asked = (wanted.violated,) if wanted.violated in known else ()  # else it is an obligation: those are always checked
    found = check(wanted.model, "explore", limits, properties=asked)
    trace = next((decision.trace for decision in found.decisions if decision.name == wanted.violated), None)
    if trace is not None:
        return trace
    run = found.runs[0]
    if run.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    mend = "" if run.complete else "; give a longer --timeout"
    raise UsageError(f"{wanted.stem}: no violation to depth {run.depth} ({run.stop.value}); nothing was written{mend}")


def _compared(files: dict[str, str], folder: Path) -> str:
    """How these files are to those that are there."""
    there = [folder / name for name in files if (folder / name).is_file()]
    if not there:
        return "new"
    same = [path.read_bytes() == files[path.name].encode() for path in there]
    return "as recorded" if all(same) and len(there) == len(files) else "recorded anew"
