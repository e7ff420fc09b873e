"""Pinned mutation: `mutation.toml` beside a manifest says at which sizes mutants were run, and what came out."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import asdict, evolve, field, frozen
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError

from fencepost.errors import UsageError
from fencepost.mutate.score import Mutation, Tally

SCHEMA = 1

_converter = Converter(forbid_extra_keys=True)


@frozen
class Survivor:
    """A mutant that nothing killed: the action, the mistake, and what it does (`does less`, ...)."""

    action: str
    mutation: str
    behaviour: str


@frozen
class Pinned:
    """One protocol: what was run, and what came out. `why` is the reason for survivors, by what they do."""

    protocol: str
    sizes: Mapping[str, int] = field(factory=dict)
    features: tuple[str, ...] = ()
    variant: str | None = None
    depth: int | None = None
    sample: int | None = None
    states: int = 0
    mutants: int = 0
    killed: int = 0
    coverage: int = 0
    equivalent: int = 0
    survived: int = 0
    timed_out: int = 0
    untold: int = 0
    violated: tuple[str, ...] = ()
    why: str = ""
    survivors: tuple[Survivor, ...] = ()

    @property
    def tally(self) -> Tally:
        return Tally(self.killed, self.coverage, self.equivalent, self.survived, self.timed_out, self.untold)

    def now(self, found: Mutation) -> Pinned:
        """What the pin would be after a run."""
        left = tuple(
            Survivor(m.change.action, m.change.words, "timed out" if r.kind is None else r.kind.value)
            for m, r in found.survivors()
        )
        numbers = asdict(found.tally)
        return evolve(
            self, **numbers, states=found.states, mutants=found.every, violated=found.violated, survivors=left
        )

    def differences(self, now: Pinned) -> list[str]:
        """Each number that is not so now, and each survivor that is new or gone."""
        names = ("states", "mutants", "killed", "coverage", "equivalent", "survived", "timed_out", "untold", "violated")
        lines = [
            f"{name}: pinned {was}, now {is_}"
            for name in names
            if (was := getattr(self, name)) != (is_ := getattr(now, name))
        ]
        lines += [f"survives, but is not pinned: {_line(one)}" for one in now.survivors if one not in self.survivors]
        lines += [
            f"pinned as a survivor, but killed: {_line(one)}" for one in self.survivors if one not in now.survivors
        ]
        return lines


def _line(one: Survivor) -> str:
    return f"{one.action}: {one.mutation}"


@frozen
class _File:
    schema: int = SCHEMA
    mutation: tuple[Pinned, ...] = ()


def load(manifest: Traversable | None) -> tuple[Pinned, ...]:
    """What is pinned beside a manifest; nothing where there is no such file.

    Raises:
        UsageError: it is wrong.
    """
    path = beside(manifest)
    if path is None or not path.is_file():
        return ()
    try:
        read = _converter.structure(tomllib.loads(path.read_text("utf-8")), _File)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from error
    except BaseValidationError as error:
        raise UsageError(f"{path}: {'; '.join(transform_error(error))}") from error
    if read.schema != SCHEMA:
        raise UsageError(f"{path}: schema {read.schema} is not known here; this fencepost reads {SCHEMA}")
    return read.mutation


def beside(manifest: Traversable | None) -> Path | None:
    """The file beside a manifest that lies in the file system."""
    return manifest.with_name(manifest.name.replace("manifest", "mutation")) if isinstance(manifest, Path) else None


def dump(pins: Sequence[Pinned]) -> str:
    """The file's text."""
    blocks = [f"schema = {SCHEMA}\n"]
    for pin in sorted(pins, key=lambda one: one.protocol):
        lines = ["[[mutation]]", f"protocol = {json.dumps(pin.protocol)}"]
        if pin.variant is not None:
            lines.append(f"variant = {json.dumps(pin.variant)}")
        sizes = ", ".join(f"{name} = {count}" for name, count in pin.sizes.items())
        lines.append(f"sizes = {{ {sizes} }}" if sizes else "sizes = {}")
        lines.append(f"features = {json.dumps(list(pin.features))}")
        lines += [f"{name} = {number}" for name in ("depth", "sample") if (number := getattr(pin, name)) is not None]
        names = ("states", "mutants", "killed", "coverage", "equivalent", "survived", "timed_out", "untold")
        lines += [f"{name} = {getattr(pin, name)}" for name in names]
        if pin.violated:
            lines.append(f"violated = {json.dumps(list(pin.violated))}")
        if pin.why:
            lines.append(f"why = {json.dumps(pin.why)}")
        if pin.survivors:
            lines.append("survivors = [")
            lines += [
                f"  {{ action = {json.dumps(one.action)}, mutation = {json.dumps(one.mutation)}, "
                f"behaviour = {json.dumps(one.behaviour)} }},"
                for one in pin.survivors
            ]
            lines.append("]")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)
