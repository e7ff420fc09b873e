"""`verify pins`: look again at everything a protocol's manifest pins, and say what differs or write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from attrs import frozen

from fencepost.cli.options import seconds, whole
from fencepost.cli.saving import write_files
from fencepost.engines import Limits
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.manifest import Manifest, Pin, differences, dump, load, merged, pinned
from fencepost.registry import Entry, find
from fencepost.rows.look import Unfinished, bmc_depth, keeping_bmc, look, with_bmc
from fencepost.rows.row import title as title_of
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
            model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
            yield title_of(entry, pin), model, pin


def _look(model: Model, pin: Pin | None, limits: Limits, *, bmc: bool) -> Pin:
    """What one model's pin would be now.

    Raises:
        UsageError: the search did not finish.
    """
    try:
        found = look(model, pin, limits)
    except Unfinished as unfinished:
        if unfinished.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt from None
        which = f"{model.protocol} {model.variant or ''}".rstrip()
        raise UsageError(f"{which}: {unfinished}; give --depth, or a longer --timeout") from None
    if bmc:
        found = with_bmc(found, bmc_depth(found), limits)
    return keeping_bmc(pinned(found), pin)


def _write(entry: Entry, pins_now: Sequence[Pin]) -> None:
    if not isinstance(entry.manifest, Path):
        raise UsageError(f"{entry.name} has no manifest to write to; make an empty one first (docs/manifest.md)")
    # Looking takes minutes; what was pinned meanwhile stays.
    manifest = merged(load(entry.manifest), pins_now)
    write_files(entry.manifest.parent, {entry.manifest.name: dump(manifest)})
