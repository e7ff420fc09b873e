"""The certificates that are committed: two solvers that did not make them accept each, and none bears a change."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from fencepost.proof.certificate import as_smtlib, dump, read
from fencepost.proof.clause import Vocabulary
from fencepost.proof.solvers import CHECKERS
from fencepost.registry import find, names
from tests.cli.conftest import Verify, verify
from tests.foreign import lacking

__all__ = ["verify"]

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted((DOCS / "certificates").glob("*.json"))
PAGE = (DOCS / "certificates" / "README.md").read_text("utf-8")
MANY = 400
"""Certificates of more clauses are checked in the deep run."""


def need_solvers() -> None:
    for checker in CHECKERS.values():
        if reason := checker.missing():
            lacking(reason)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=[pytest.mark.deep] if len(read(file).invariant) > MANY else [])
        for file in FILES
    ],
)
def test_two_solvers_accept_it(verify: Verify, file: Path) -> None:
    need_solvers()
    ran = verify("certify", str(file), "--quiet", "--timeout", "0")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{file}: ACCEPTED by cvc5 ")
    assert " and bitwuzla " in ran.out


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_is_of_the_model_as_it_is_and_of_the_schema(file: Path) -> None:
    text = file.read_text("utf-8")
    schema = json.loads((DOCS / "json-schema" / "certificate-1.json").read_text("utf-8"))
    jsonschema.validate(json.loads(text), schema)
    made = read(file)
    assert dump(made) == text
    assert made.maker.tool not in CHECKERS
    assert file.stem == made.protocol + (f".{made.variant}" if made.variant else "")
    assert made.digest in PAGE or f"`{file.stem}`" in PAGE


def test_the_page_speaks_of_every_protocol() -> None:
    for name in names():
        assert f"| `{name}" in PAGE, name


@pytest.mark.parametrize("number", [0, -1])
def test_it_bears_no_change(verify: Verify, number: int) -> None:
    need_solvers()
    document = json.loads((DOCS / "certificates" / "recycled-handle.json").read_text("utf-8"))
    model = find("recycled-handle").build()
    words = Vocabulary.of(model)
    clause = document["invariant"].pop(number)
    _, *shorter = clause.split(" or ")
    for lines in (document["invariant"], [*document["invariant"], " or ".join(shorter)] if shorter else []):
        clauses = [words.read(line) for line in lines]
        Path("changed.json").write_text(
            json.dumps(document | {"invariant": lines, "smtlib": list(as_smtlib(model, clauses))})
        )
        ran = verify("certify", "changed.json", "--quiet")
        assert (ran.code, ran.err) == (1, "")
        assert ran.out.startswith("changed.json: REFUSED, ")
