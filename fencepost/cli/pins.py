"""`verify pins`: look again at everything a protocol's manifest pins, and say what differs or write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from attrs import evolve, frozen

from fencepost.check import Check, check, conclude
from fencepost.cli.options import seconds, whole
from fencepost.cli.saving import write_files
from fencepost.engines import ENGINES, Job, Limits
from fencepost.errors import InternalError, UsageError
from fencepost.ir.model import Model
from fencepost.manifest import Manifest, Pin, PropertyPin, differences, dump, known, load, merged, pinned
from fencepost.registry import Entry, find
from fencepost.side_by_side import run_engines
from fencepost.verdict import Stop


@frozen
class Looked:
    """One choice of variant, sizes and features that was looked at again."""

    title: str
    pin: Pin | None
    now: Pin


@click.command("pins")
@click.option("--protocol", metavar="NAME|FILE.py", required=True, help="Whose pins.")
@click.option("--depth", metavar="N", callback=whole, help="For what cannot be exhausted and is not pinned yet.")
@click.option("--timeout", metavar="S", callback=seconds, help="Seconds an engine may take; 0: no limit.  [60]")
@click.option("--bmc", is_flag=True, help="Find how deep the bounded check gets, too.")
@click.option("--update", is_flag=True, help="Write what was found to the manifest.")
def pins(protocol: str, depth: int | None, timeout: float | None, bmc: bool, update: bool) -> int:
    """Check a protocol as it is, its variants, and all that is pinned; compare with the pins.

    Exit codes: 0 all as pinned (or updated), 1 something differs, 2 usage or model error.
    """
    entry = find(protocol)
    manifest = load(entry.manifest)
    limits = Limits(depth, 60.0 if timeout is None else timeout or None)
    looked = []
    for title, model, pin in _choices(entry, manifest):
        now = _look(model, pin, limits, bmc=bmc)
        looked.append(Looked(title, pin, now))
        lines = ["new"] if pin is None else differences(pin, now)
        click.echo(f"{title}: {'; '.join(lines) or 'as pinned'}")
    if update:
        _write(entry, [each.now for each in looked])
        return 0
    return int(any(each.pin is None or differences(each.pin, each.now) for each in looked))


def _choices(entry: Entry, manifest: Manifest) -> Iterator[tuple[str, Model, Pin | None]]:
    """The protocol as it is and each variant at their own sizes, then whatever else is pinned."""
    seen: list[Pin] = []
    for variant in (None, *(variant.name for variant in entry.protocol.variants)):
        model = entry.build(variant=variant)
        pin = manifest.of(model)
        if pin is not None:
            seen.append(pin)
        yield variant or entry.protocol.default, model, pin
    for pin in manifest.pin:
        if pin.protocol == entry.name and pin not in seen:
            sizes = " ".join(f"{name}={count}" for name, count in sorted(pin.sizes.items()))
            features = " ".join(["with", *sorted(pin.features)]) if pin.features else ""
            title = " ".join(filter(None, (pin.variant or entry.protocol.default, sizes, features)))
            model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
            yield title, model, pin


def _look(model: Model, pin: Pin | None, limits: Limits, *, bmc: bool) -> Pin:
    """Check one model as its pin says it was checked.

    Raises:
        UsageError: the search did not finish, so that its numbers are another machine's.
    """
    tries = [None, limits.depth] if pin is None else [pin.depth]
    found = check(model, "explore", evolve(limits, depth=tries[0]), known=known(pin))
    if not _finished(found) and tries[-1] is not None:
        found = check(model, "explore", evolve(limits, depth=tries[-1]), known=known(pin))
    if not _finished(found):
        run = found.runs[0]
        raise UsageError(
            f"{model.protocol} {model.variant or ''}: exploring stopped ({run.stop.value}) at depth {run.depth}; "
            "give --depth, or a longer --timeout"
        )
    if bmc:
        found = _with_bmc(found, model, limits)
    return _keeping_bmc(pinned(found), pin)


def _finished(found: Check) -> bool:
    return found.runs[0].stop in (Stop.EXHAUSTED, Stop.DEPTH, Stop.DECIDED)


def _with_bmc(found: Check, model: Model, limits: Limits) -> Check:
    """The bounded check as well: to the longest shortest violation, else to the depth of the search.

    Raises:
        InternalError: its encoding refuses a run that exploring found.
    """
    from fencepost.smt.follow import feasible  # noqa: PLC0415 - Z3 is loaded only where it is asked for

    for finding in found.runs[0].findings:
        if not feasible(model, finding):
            raise InternalError(f"the encoding for the bounded check refuses the run to {finding.name}")
    violations = [decision.depth for decision in found.decisions if decision.trace is not None]
    depth = max((length for length in violations if length is not None), default=found.runs[0].depth)
    runs = run_engines([Job(ENGINES["bmc"], model, evolve(limits, depth=depth))])
    return conclude(model, limits, found.runs + runs, known=found.known)


def _keeping_bmc(now: Pin, pin: Pin | None) -> Pin:
    """How deep the bounded check got depends on the machine, so it is not lost where it was not asked for."""
    if pin is None:
        return now
    kept: dict[str, PropertyPin] = {}
    for name, prop in now.properties.items():
        was = pin.properties.get(name)
        kept[name] = prop if was is None or prop.bmc is not None else evolve(prop, bmc=was.bmc)
    return evolve(now, properties=kept)


def _write(entry: Entry, pins_now: Sequence[Pin]) -> None:
    if not isinstance(entry.manifest, Path):
        raise UsageError(f"{entry.name} has no manifest to write to; make an empty one first (docs/manifest.md)")
    # Looking takes minutes; what was pinned meanwhile stays.
    manifest = merged(load(entry.manifest), pins_now)
    write_files(entry.manifest.parent, {entry.manifest.name: dump(manifest)})
