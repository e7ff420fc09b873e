"""The text in Murphi and Promela: as it was looked at once, the same on every run, and short of nothing."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost.export import murphi, promela
from fencepost.export.formats import FORMATS, Format
from fencepost.export.naming import Names
from fencepost.export.shape import steps, tree
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL, IndexSort
from fencepost.registry import find, names
from tests.goldens import expect_golden

OURS = {name: FORMATS[name] for name in ("murphi", "promela")}
QUEUE, SLOT = IndexSort("Queue", 2), IndexSort("Slot", 3)


@pytest.mark.parametrize("form", OURS.values(), ids=lambda form: form.name)
@pytest.mark.parametrize("protocol", ["recycled-handle", "store-visibility"])
def test_the_text(protocol: str, form: Format) -> None:
    text = form.export(find(protocol).build()).text
    expect_golden(f"export/{protocol}{form.suffix}", text)
    assert form.export(find(protocol).build()).text == text


@pytest.mark.parametrize("protocol", names())
def test_every_action_and_property_of_every_protocol_is_there(protocol: str) -> None:
    entry = find(protocol)
    for model in (entry.build(variant=name) for name in (None, *(each.name for each in entry.protocol.variants[:1]))):
        text = murphi.export(model).text
        for action in model.actions:
            assert f'rule "{action.name}"' in text
            assert action.src in text
        for prop in model.properties:
            told = f'invariant "{prop.name}"' if prop.response is None else f"not exported: {prop.name}"
            assert told in text or (prop.response is not None and prop.name in text.split("(Murphi asks")[0])
        other = promela.export(model).text
        assert all(f"inline {action.name}" in other and action.src in other for action in model.actions)
        assert all(f'printf("broken {prop.name}\\n")' in other for prop in model.properties if prop.response is None)


def test_only_what_no_constant_or_order_tells_apart_is_a_scalarset() -> None:
    model = find("recycled-handle").build()
    assert "  Queue: scalarset(2);\n" in murphi.export(model).text
    assert "  Queue: 0..1;\n" in murphi.export(evolve(model, symmetric=())).text
    assert "  Handle: 0..1;\n" in murphi.export(model).text


def test_names() -> None:
    given = Names.without(["begin"])
    assert [given.fresh(name) for name in ("Begin", "a.b[]", "a_b", "2x")] == ["Begin2", "a_b", "a_b2", "n2x"]
    inner = given.inner()
    assert (inner.fresh("a_b"), given.fresh("a_b")) == ("a_b3", "a_b3")


def test_a_name_that_is_a_field_and_a_record_lies_whole() -> None:
    variables = (
        Var("x[].f", BOOL, (QUEUE, QUEUE), (0,) * 4),
        Var("x", BOOL),
        Var("y[].z[].a", BOOL, (QUEUE, SLOT), (0,) * 6),
    )
    fields = tree(variables).fields
    assert list(fields) == ["x", "x whole", "y"]
    assert fields["x"].dims == (QUEUE,)
    assert fields["x whole"].var == variables[1]
    assert fields["y"].fields["z"].fields["a"].var == variables[2]
    assert [(step.name, step.indices) for step in steps(variables[0])] == [("x", 1), ("f", 1)]
    assert [(step.name, step.indices) for step in steps(variables[2])] == [("y", 1), ("z", 1), ("a", 0)]


def test_a_model_without_symmetry_or_properties_is_written_too() -> None:
    model: Model = evolve(find("recycled-handle").build(), properties=(), symmetric=())
    assert "invariant" not in murphi.export(model).text
    assert "check_" not in promela.export(model).text
