"""A proof as a file: the invariant, what it is of, what it proves, and who found it.

The file is JSON of one schema version (docs/json-schema/certificate-1.json). Nothing in it is
trusted: `recheck` makes the questions anew from the model, and the SMT-LIB text has to be what the
clauses say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attrs import field, frozen

from fencepost.errors import UsageError
from fencepost.files import printable, read_bytes
from fencepost.ir.digest import digest
from fencepost.ir.model import Model
from fencepost.proof import symbolic
from fencepost.proof.clause import Clause, Vocabulary
from fencepost.proof.questions import declaration, text
from fencepost.smt.system import lower
from fencepost.stored import StoredError, parsed, structure
from fencepost.verdict import Proof

SCHEMA = "fencepost.certificate/1"
LARGEST_FILE = 32 * 1024 * 1024
LARGEST_INVARIANT = 100_000
"""Clauses; those of the shipped protocols have some hundreds or thousands."""


@frozen
class Maker:
    """Who found the invariant: the engine, and the tool that it asked, with its version."""

    engine: str
    tool: str
    version: str


@frozen
class Certificate:
    """An invariant and what it is said to prove.

    `bounds` are the actions that a bound of the model may keep from being taken in some state that
    the invariant allows: within these bounds alone it is a proof. `invariant` has a line a clause.
    """

    protocol: str
    variant: str | None
    sizes: tuple[tuple[str, int], ...]
    features: tuple[str, ...]
    without: tuple[str, ...]
    digest: str
    maker: Maker
    proves: tuple[str, ...]
    bounds: tuple[str, ...]
    invariant: tuple[str, ...]
    smtlib: tuple[str, ...]
    fencepost: str = field(factory=lambda: version("fencepost"))
    schema: str = SCHEMA


def certificate_of(model: Model, engine: str, proof: Proof) -> Certificate:
    """The certificate of what an engine proved, its clauses in one order, short ones first."""
    vocabulary = Vocabulary.of(model)
    clauses = sorted({vocabulary.read(line) for line in proof.invariant}, key=lambda c: (len(c), vocabulary.show(c)))
    return Certificate(
        model.protocol,
        model.variant,
        model.sizes,
        model.features,
        model.without,
        digest(model),
        Maker(engine, proof.tool, proof.version),
        proof.proves,
        proof.bounds,
        tuple(map(vocabulary.show, clauses)),
        tuple(as_smtlib(model, clauses)),
    )


def as_smtlib(model: Model, invariant: Sequence[Clause]) -> Iterator[str]:
    """The state's constants, then an assertion a clause, as an SMT-LIB script's lines."""
    system = lower(model, (), discharge=False)
    state = symbolic.before(system)
    yield "(set-logic QF_BV)"
    yield from map(declaration, system.consts)
    yield f"(assert {text(symbolic.within_sorts(system, state))})"
    for clause in invariant:
        yield f"(assert {text(symbolic.holds(clause, state))})"


def dump(made: Certificate) -> str:
    """The certificate as a file's text: the same bytes for the same certificate, one clause a line."""
    head: dict[str, Any] = {
        "schema": made.schema,
        "fencepost": made.fencepost,
        "protocol": made.protocol,
        "variant": made.variant,
        "sizes": dict(made.sizes),
        "features": list(made.features),
        "without": list(made.without),
        "digest": made.digest,
        "maker": {"engine": made.maker.engine, "tool": made.maker.tool, "version": made.maker.version},
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name, items in (
        ("proves", made.proves),
        ("bounds", made.bounds),
        ("invariant", made.invariant),
        ("smtlib", made.smtlib),
    ):
        listed = ",\n".join(f"    {json.dumps(item)}" for item in items)
        lines.append(f'  "{name}": [\n{listed}\n  ]' if items else f'  "{name}": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(path: Path) -> Certificate:
    """Read a certificate from a file.

    Raises:
        UsageError: the file cannot be read, or is no certificate of this version; one line says what is wrong.
    """
    data = read_bytes(path, "certificate", most=LARGEST_FILE)
    try:
        return load(data.decode(), str(path))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a certificate: it is not UTF-8 text") from error


def load(document: str, name: str) -> Certificate:
    """Read a certificate from a file's text; `name` is the file's, for messages.

    Raises:
        UsageError: as `read`.
    """
    try:
        return _structured(parsed(document))
    except StoredError as error:
        raise UsageError(f"{name}: not a certificate that can be read: {printable(str(error))}") from error


def _structured(document: object) -> Certificate:
    if not isinstance(document, dict):
        raise StoredError("the file", "it is not an object")
    schema = document.get("schema")
    if schema != SCHEMA:
        raise StoredError("schema", f"it is {schema!r}; this fencepost reads {SCHEMA!r}, so make it anew")
    sizes = document.get("sizes")
    if not isinstance(sizes, dict):
        raise StoredError("sizes", "it is not an object")
    made = structure({**document, "sizes": [[*pair] for pair in sizes.items()]}, Certificate, "the file")
    if len(made.invariant) > LARGEST_INVARIANT:
        raise StoredError("invariant", f"it has more than {LARGEST_INVARIANT:,} clauses")
    return made
