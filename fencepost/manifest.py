"""The manifest: what a protocol gave when it was last looked at with care.

A pin says, for one protocol, variant, sizes and features, each property's verdict, and the
numbers that a change of the model would move. docs/manifest.md describes the file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable

from attrs import field, frozen
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError
from cattrs.v import format_exception

from fencepost.check import Check, Known
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.verdict import OBLIGATIONS, Run, Stop, Verdict

SCHEMA = 1


@frozen
class PropertyPin:
    """One property's pin.

    `twin` is the least depth at which its antecedent happens; `length` the fewest steps to a
    violation; `bmc` the depth that the bounded check decided; `finding` the anchor of the
    violation's entry in docs/findings.md.
    """

    verdict: Verdict
    twin: int | None = None
    length: int | None = None
    bmc: int | None = None
    finding: str | None = None


@frozen
class Pin:
    """One protocol at one choice of variant, sizes and features.

    `depth` bounded the search that gave the numbers; without it, every state was reached.
    `levels` is the depth of the deepest state (of an exhausted search).
    """

    protocol: str
    variant: str | None = None
    sizes: Mapping[str, int] = field(factory=dict)
    features: tuple[str, ...] = ()
    depth: int | None = None
    levels: int | None = None
    states: int | None = None
    transitions: int | None = None
    properties: Mapping[str, PropertyPin] = field(factory=dict)

    def fits(self, model: Model) -> bool:
        """Whether the pin is of this very choice."""
        return (
            self.protocol == model.protocol
            and self.variant == model.variant
            and dict(self.sizes) == dict(model.sizes)
            and sorted(self.features) == sorted(model.features)
            and not model.without
        )


@frozen
class Manifest:
    """Every pin of one file."""

    schema: int = SCHEMA
    pin: tuple[Pin, ...] = ()

    def of(self, model: Model) -> Pin | None:
        """The pin of this model, if there is one."""
        return next((pin for pin in self.pin if pin.fits(model)), None)


_converter = Converter(forbid_extra_keys=True)


def load(source: Traversable | None) -> Manifest:
    """Read a manifest; none at all is an empty one.

    Raises:
        UsageError: it does not parse, has an unknown key, or is of another schema.
    """
    if source is None:
        return Manifest()
    try:
        text = source.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source}: {error}") from error
    return parse(text, str(source))


def parse(text: str, source: str) -> Manifest:
    """Read a manifest's text; `source` is what an error calls it.

    Raises:
        UsageError: as `load`.
    """
    try:
        manifest = _converter.structure(tomllib.loads(text), Manifest)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{source}: {error}") from error
    except BaseValidationError as error:
        raise UsageError(f"{source}: {'; '.join(transform_error(error, format_exception=_problem))}") from error
    if manifest.schema != SCHEMA:
        raise UsageError(f"{source}: schema {manifest.schema} is not known here; this fencepost reads {SCHEMA}")
    return manifest


def _problem(error: BaseException, expected: type | None) -> str:
    if expected is Verdict:
        return f"{error}; the verdicts are {', '.join(verdict.value for verdict in Verdict)}"
    return format_exception(error, expected)


def known(pin: Pin | None) -> dict[str, Known]:
    """What a pin tells a report in advance."""
    if pin is None:
        return {}
    return {name: Known(prop.twin, prop.finding) for name, prop in pin.properties.items()}


def pinned(check: Check) -> Pin:
    """The pin that a finished check would have."""
    model = check.model
    # A search stopped by a clock gives numbers that another machine does not.
    steady = (Stop.EXHAUSTED, Stop.DEPTH, Stop.DECIDED)
    # Pins count states; one that counts orbits is none of them.
    counted = (run for run in check.runs if run.states is not None and not run.symmetry)
    search = next((run for run in counted if run.stop in steady), None)
    complete = search is not None and search.complete
    return Pin(
        protocol=model.protocol,
        variant=model.variant,
        sizes=dict(model.sizes),
        features=model.features,
        depth=None if complete or search is None else search.depth,
        levels=search.depth if search is not None and complete else None,
        states=None if search is None else search.states,
        transitions=None if search is None else search.transitions,
        properties={
            decision.name: PropertyPin(
                verdict=decision.verdict,
                twin=decision.twin,
                length=decision.depth if decision.verdict is Verdict.VIOLATED else None,
                bmc=_bmc_depth(check.runs, decision.name),
                finding=decision.anchor,
            )
            for decision in check.decisions
            if decision.name != OBLIGATIONS
        },
    )


def differences(pin: Pin, now: Pin) -> list[str]:
    """Each number or verdict of the pin that is not so now, as `NAME: ...`; what a pin leaves out is not compared."""
    lines = [
        f"{name}: pinned {was}, now {is_}"
        for name in ("depth", "levels", "states", "transitions")
        if (was := getattr(pin, name)) is not None and was != (is_ := getattr(now, name))
    ]
    for name in sorted(pin.properties.keys() | now.properties.keys()):
        was_prop, is_prop = pin.properties.get(name), now.properties.get(name)
        if was_prop is None or is_prop is None:
            lines.append(f"{name}: {'not pinned' if was_prop is None else 'pinned, but not checked'}")
            continue
        if was_prop.verdict is not is_prop.verdict:
            lines.append(f"{name}: pinned {was_prop.verdict.value}, now {is_prop.verdict.value}")
        for number in ("length", "twin"):
            was, is_ = getattr(was_prop, number), getattr(is_prop, number)
            if was is not None and was != is_ and not (number == "twin" and is_ is None):
                lines.append(f"{name}: {number} pinned {was}, now {is_}")
    return lines


def dump(manifest: Manifest) -> str:
    """The manifest as TOML, pins in order of protocol, variant, sizes and features."""
    blocks = [f"schema = {manifest.schema}\n"]
    for pin in sorted(manifest.pin, key=_order):
        lines = ["[[pin]]", f"protocol = {json.dumps(pin.protocol)}"]
        if pin.variant is not None:
            lines.append(f"variant = {json.dumps(pin.variant)}")
        lines.append(f"sizes = {_inline(pin.sizes)}")
        lines.append(f"features = [{', '.join(json.dumps(name) for name in sorted(pin.features))}]")
        for name in ("depth", "levels", "states", "transitions"):
            number = getattr(pin, name)
            if number is not None:
                lines.append(f"{name} = {number:_}")
        lines.append("[pin.properties]")
        lines += [f"{_key(name)} = {_inline(_fields(prop))}" for name, prop in pin.properties.items()]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def merged(manifest: Manifest, pins: Sequence[Pin]) -> Manifest:
    """The manifest with these pins in place of those of the same choice."""
    mine = {_order(pin): pin for pin in manifest.pin}
    mine |= {_order(pin): pin for pin in pins}
    return Manifest(SCHEMA, tuple(mine[key] for key in sorted(mine)))


def _order(pin: Pin) -> tuple[str, str, tuple[tuple[str, int], ...], tuple[str, ...]]:
    return (pin.protocol, pin.variant or "", tuple(sorted(pin.sizes.items())), tuple(sorted(pin.features)))


def _fields(prop: PropertyPin) -> dict[str, object]:
    values = {
        "verdict": prop.verdict.value,
        "length": prop.length,
        "twin": prop.twin,
        "bmc": prop.bmc,
        "finding": prop.finding,
    }
    return {name: value for name, value in values.items() if value is not None}


def _inline(table: Mapping[str, object]) -> str:
    return "{ " + ", ".join(f"{_key(name)} = {json.dumps(value)}" for name, value in table.items()) + " }"


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else json.dumps(name)


def _bmc_depth(runs: Sequence[Run], name: str) -> int | None:
    run = next((run for run in runs if run.engine == "bmc"), None)
    return None if run is None else run.bounds.get(name, run.depth)
