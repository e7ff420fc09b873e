"""SMT-LIB, VMT-LIB, BTOR2 and AIGER as text: small models as they were, and every protocol can be written."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from fencepost import registry
from fencepost.export.flat import flatten
from fencepost.export.formats import FORMATS, CannotSay
from fencepost.export.smt_text import split
from fencepost.export.smtlib import script
from fencepost.ir.expr import Read, Var
from fencepost.ir.model import Model, PropertyKind
from fencepost.ir.sorts import IntSort
from tests.goldens import expect_golden
from tests.smt.tiny import below, counter, number, prop

FLAT = ("smtlib", "vmt", "btor2", "aiger")
ALL = ("tla", *FLAT)


def small() -> Model:
    """Counts from 0 to 3, where it should stay below 2, and one step more would leave the range."""
    x = Var("x", IntSort(0, 3))
    return counter(3, prop("below-two", below(Read(x), number(2))), guarded=False)


@pytest.mark.parametrize("form", FLAT)
def test_a_counter_is_as_it_was(form: str) -> None:
    model = small()
    text = script(flatten(model), 2) if form == "smtlib" else FORMATS[form].export(model).text
    expect_golden(f"export/counter{FORMATS[form].suffix}", text)


@pytest.mark.parametrize("name", registry.names())
def test_every_protocol_can_be_written(name: str) -> None:
    model = registry.find(name).build()
    written_everywhere(model)


@pytest.mark.deep
@pytest.mark.parametrize("name", registry.names())
def test_every_variant_can_be_written(name: str) -> None:
    entry = registry.find(name)
    for variant in entry.protocol.variants:
        written_everywhere(entry.build(variant=variant.name))


def written_everywhere(model: Model) -> None:
    """Every format names each action or step, and each property that it can say."""
    flat = flatten(model)
    for form in ALL:
        text = FORMATS[form].export(model).text
        for asked in model.properties:
            called = re.sub(r"[^A-Za-z0-9]+", "_", asked.name) if form == "tla" else asked.name
            assert called in text, f"{form} does not speak of {asked.name}"
        if form == "tla":
            assert all(f"\n{action.name}" in text for action in model.actions)
        else:
            steps = [move.name.replace(", ", ",") if form == "btor2" else move.name for move in flat.moves]
            assert all(step in text for step in steps)
        if form != "tla" and any(asked.kind is PropertyKind.RESPONSE for asked in model.properties):
            assert "not exported: " in text


def test_the_text_is_the_same_in_another_process() -> None:
    code = (
        "import sys; from fencepost import registry; from fencepost.export.formats import FORMATS; "
        "m = registry.find('recycled-handle').build(variant='buggy'); "
        f"sys.stdout.write(''.join(FORMATS[form].export(m).text for form in {ALL!r}))"
    )
    model = registry.find("recycled-handle").build(variant="buggy")
    here = "".join(FORMATS[form].export(model).text for form in ALL)
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert there.stdout == here


def test_a_circuit_in_which_nothing_can_be_bad_is_refused() -> None:
    with pytest.raises(CannotSay, match="no property of single states; add an invariant or a hang"):
        FORMATS["aiger"].export(counter(3))


def test_an_expression_in_parentheses_comes_apart_at_its_operands() -> None:
    assert split("(ite (= |a b| #b0) (not |c)|) x)") == ["ite", "(= |a b| #b0)", "(not |c)|)", "x"]
    assert split("|a (b|") == ["|a (b|"]
