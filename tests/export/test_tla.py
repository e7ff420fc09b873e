"""TLA+: parsed, not run. Its structure, as a foreign parser reads it, is that of the model."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from hypothesis import Phase, given, settings

from fencepost import registry
from fencepost.export.formats import FORMATS
from fencepost.ir.model import Fairness, Model, PropertyKind
from fencepost.ir.sorts import EnumSort, IndexSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.ir.visit import statements
from tests.export.tla_tree import Module, below, module_of, said, unknown_names
from tests.goldens import expect_golden
from tests.profile import examples
from tests.strategies import models


def _text(model: Model) -> str:
    return FORMATS["tla"].export(model).text


def _root(name: str) -> str:
    return re.split(r"[\[.]", name)[0]


def _spelled(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name)


def differences(model: Model, module: Module) -> list[str]:
    """Where the module is not the model. Reads the model's declarations, not what the exporter made of them."""
    found: list[str] = []

    def compare(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            found.append(f"{what}: {ours} in the model, {theirs} in the module")

    roots = list(dict.fromkeys(_root(var.name) for var in model.vars))
    compare("variables", roots, list(module.variables))
    for action in model.actions:
        operator = module.operators[action.name]
        written = {_root(stmt.var.name) for stmt in statements(action.body) if isinstance(stmt, Assign)}
        guards = [guard for guard in operator.guards if not re.match(rf"{action.name}_obliges\b", guard)]
        compare(f"{action.name}'s parameters", len(action.params), len(operator.params))
        compare(f"{action.name}'s guards", len(action.guards), len(guards))
        compare(f"{action.name}'s writes", written, set(operator.primed))
        compare(f"{action.name}'s frame", set(roots) - written, set(operator.unchanged))
    steps = [node for node in below(module.operators["Next"].body) if node.type == "disj_item"]
    calls = [re.sub(r"^\\/ (\\E [^:]*: )?", "", said(step)).partition("(")[0] for step in steps]
    compare("steps of Next", [action.name for action in model.actions], calls)
    compare("ranges of the state", _ranges(model), sorted(module.numbers("TypeOK")))
    for sort in _nominal(model):
        values = said(module.operators[sort.name].body)
        quoted = [f'"{member}"' for member in getattr(sort, "members", ())]
        members = f"0..{sort.hi}" if isinstance(sort, IndexSort) else f"{{{', '.join(quoted)}}}"
        compare(f"values of {sort.name}", members, values)
    owed = re.findall(r"([WS])F_vars\((?:\\E [^:]*: )?(\w+)", said(module.operators["Fairness"].body))
    ours = [(a.fair.name[0], a.name) for a in model.actions if a.fair is not Fairness.NONE]
    compare("fairness", ours, owed)
    for prop in model.properties:
        called = _spelled(prop.name)
        taken = called in [action.name for action in model.actions]
        body = module.operators[f"{called}_property" if taken else called].body
        leads = any(node.type == "leads_to" for node in below(body))
        compare(f"whether {prop.name} is a response", prop.kind is PropertyKind.RESPONSE, leads)
    return found


def _ranges(model: Model) -> list[tuple[int, int]]:
    return sorted((var.sort.lo, var.sort.hi) for var in model.vars if isinstance(var.sort, IntSort))


def _nominal(model: Model) -> list[IndexSort | EnumSort]:
    sorts = [sort for var in model.vars for sort in (var.sort, *var.dims)]
    return [sort for sort in dict.fromkeys(sorts) if isinstance(sort, IndexSort | EnumSort)]


@pytest.fixture(scope="module")
def handle() -> Model:
    return registry.find("recycled-handle").build()


def test_the_recycled_handle_is_as_it_was(handle: Model) -> None:
    exported = FORMATS["tla"].export(handle)
    expect_golden("export/recycled_handle.tla", exported.text)
    expect_golden("export/recycled_handle.cfg", exported.beside[".cfg"])


@pytest.mark.parametrize("name", registry.names())
def test_the_module_is_the_model(name: str) -> None:
    model = registry.find(name).build()
    text = _text(model)
    assert differences(model, module_of(text)) == []
    assert unknown_names(text) == set()


def test_the_configuration_names_what_there_is() -> None:
    model = registry.find("cpu-wait").build()
    exported = FORMATS["tla"].export(model)
    lines = [line.split() for line in exported.beside[".cfg"].splitlines() if line and not line.startswith("\\")]
    named = [name for word, name in lines if word in {"INVARIANT", "PROPERTY", "SPECIFICATION"}]
    assert set(named) <= set(module_of(exported.text).operators)
    temporal = [_spelled(prop.name) for prop in model.properties if prop.kind is PropertyKind.RESPONSE]
    assert [name for word, name in lines if word == "PROPERTY"] == temporal != []


@given(models())
@settings(max_examples=examples(20), deadline=None, phases=[Phase.generate])
def test_random_models_can_be_parsed(model: Model) -> None:
    text = _text(model)
    module = module_of(text)
    assert unknown_names(text) == set()
    for action in model.actions:
        operator = module.operators[action.name]
        assert operator.primed | operator.unchanged == set(module.variables)
        assert not operator.primed & operator.unchanged


class TestPlantedFaults:
    """Each is a fault of the exporter, seen where the text differs from the model that it should be of."""

    def test_a_dropped_guard(self, handle: Model) -> None:
        first = handle.actions[0]
        bad = evolve(handle, actions=(evolve(first, guards=first.guards[1:]), *handle.actions[1:]))
        assert any("guards" in found for found in differences(handle, module_of(_text(bad))))

    def test_a_range_one_too_wide(self, handle: Model) -> None:
        text = _text(handle)
        line = next(line for line in text.splitlines() if "/\\ barriers \\in" in line)
        bad = text.replace(line, line.replace("0..3", "0..4"))
        assert bad != text
        assert any("ranges" in found for found in differences(handle, module_of(bad)))

    def test_an_index_sort_one_too_small(self, handle: Model) -> None:
        bad = _text(handle).replace("Slot == 0..2", "Slot == 0..1")
        assert any("values of Slot" in found for found in differences(handle, module_of(bad)))

    def test_a_lost_frame_condition(self, handle: Model) -> None:
        text = _text(handle)
        bad = text.replace("UNCHANGED <<enabled, queues>>", "UNCHANGED <<enabled>>")
        assert bad != text
        assert any("frame" in found for found in differences(handle, module_of(bad)))

    def test_a_lost_step(self, handle: Model) -> None:
        bad = _text(handle).replace("    \\/ \\E handle \\in Handle : complete(handle)\n", "")
        assert any("steps" in found for found in differences(handle, module_of(bad)))

    def test_a_name_that_nothing_defines(self, handle: Model) -> None:
        assert unknown_names(_text(handle).replace("enabled' = FALSE", "enabled' = FALSEHOOD")) == {"FALSEHOOD"}
