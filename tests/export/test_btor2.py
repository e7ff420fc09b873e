"""BTOR2: parsed, not run. What btor2-opt's parser reads is compared with the model."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import Phase, given, settings

from fencepost import registry
from fencepost.export.formats import FORMATS
from fencepost.ir.model import Model, PropertyKind
from tests.export.reads import elements, reads
from tests.foreign import lacking
from tests.profile import examples
from tests.strategies import models

# In a process of its own: the package starts a pool of processes when it is imported.
_PARSE = """
import json, sys
from btoropt import parser
lines = [line.strip() for line in sys.stdin if line.strip()]
found = []
for each in parser.parse(lines):
    operands = [operand.lid for operand in each.operands if hasattr(operand, "lid")]
    found.append((each.lid, each.inst, operands, getattr(each, "width", None)))
json.dump(found, sys.stdout)
"""


@frozen
class Line:
    word: str
    operands: tuple[int, ...]
    width: int | None


def parse(text: str) -> dict[int, Line]:
    """By number, each line as the foreign parser understands it; operands are lines that it has seen before."""
    if importlib.util.find_spec("btoropt") is None:
        lacking("btor2-opt")
    done = subprocess.run([sys.executable, "-c", _PARSE], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    found: list[tuple[int, str, list[int], Any]] = json.loads(done.stdout)
    return {number: Line(word, tuple(operands), width) for number, word, operands, width in found}


def _symbols(text: str) -> dict[int, str]:
    """Names are the last word of a line; the parser drops some of them."""
    named = re.compile(r"^(\d+) (?:state \d+|input \d+|bad \d+|and \d+ \d+ \d+) (\S+)$", re.MULTILINE)
    return {int(number): name for number, name in named.findall(text)}


def differences(model: Model, text: str, *, guards: bool = True) -> list[str]:
    """Where the text is not the model; guards are looked at where none of them reads in vain."""
    lines, names = parse(text), _symbols(text)
    found: list[str] = []
    states = {names[n]: n for n, line in lines.items() if line.word == "state"}
    wanted = {name: (width, first) for name, width, first in elements(model)}
    if list(states) != list(wanted):
        found.append(f"states: {set(states) ^ set(wanted)}")
    firsts = {line.operands[1]: line.operands[2] for line in lines.values() if line.word == "init"}
    nexts = {line.operands[1]: line.operands[2] for line in lines.values() if line.word == "next"}
    for name, (width, first) in wanted.items():
        state = states.get(name, 0)
        if state not in lines or lines[lines[state].operands[0]].width != width:
            found.append(f"width of {name}")
        if state not in firsts or _constant(text, firsts[state]) != first:
            found.append(f"first value of {name}")
        if state not in nexts or _last(lines, nexts[state]) != state:
            found.append(f"{name} does not stay as it is where no step changes it")
    for step, read in reads(model).items() if guards else ():
        number = next((n for n, name in names.items() if name == step.replace(", ", ",")), 0)
        if missing := read - {names[n] for n in _support(lines, number) if lines[n].word == "state"}:
            found.append(f"{step} does not depend on {sorted(missing)}")
    bads = [names[n] for n, line in lines.items() if line.word == "bad"]
    if bads != [p.name for p in model.properties if p.kind is not PropertyKind.RESPONSE] + ["obligations"]:
        found.append(f"bad states: {bads}")
    return found


def _constant(text: str, number: int) -> int:
    match = re.search(rf"^{number} const \d+ ([01]+)$", text, re.MULTILINE)
    return int(match[1], 2) if match else -1


def _last(lines: dict[int, Line], number: int) -> int:
    """What a chain of choices comes to when none is made."""
    while number in lines and lines[number].word == "ite":
        number = lines[number].operands[-1]
    return number


def _support(lines: dict[int, Line], number: int) -> set[int]:
    seen: set[int] = set()
    waiting = [number]
    while waiting:
        at = waiting.pop()
        if at in lines and at not in seen:
            seen.add(at)
            waiting += lines[at].operands
    return seen


@pytest.fixture(scope="module")
def handle() -> Model:
    return registry.find("recycled-handle").build()


@pytest.mark.parametrize("name", ["recycled-handle", "graph-pool"])
def test_the_text_is_the_model(name: str) -> None:
    model = registry.find(name).build()
    assert differences(model, FORMATS["btor2"].export(model).text) == []


@given(models())
@settings(max_examples=examples(5), deadline=None, phases=[Phase.generate])
def test_random_models_can_be_parsed(model: Model) -> None:
    assert differences(model, FORMATS["btor2"].export(model).text, guards=False) == []


class TestPlantedFaults:
    def test_a_dropped_guard(self, handle: Model) -> None:
        action = handle.action("complete")
        weaker = evolve(action, guards=action.guards[:1])
        bad = evolve(handle, actions=tuple(weaker if each is action else each for each in handle.actions))
        found = differences(handle, FORMATS["btor2"].export(bad).text)
        assert any("complete(handle=0) does not depend on" in each for each in found)

    def test_a_range_one_too_wide(self, handle: Model) -> None:
        var = next(var for var in handle.vars if var.name.endswith("in_flight[]"))
        text = FORMATS["btor2"].export(handle).text
        line = next(line for line in text.splitlines() if line.endswith(f" {var.element(0)}") and "state" in line)
        wider = text.replace(line, re.sub(r"state \d+", "state 1", line))
        assert any("width" in each for each in differences(handle, wider))

    def test_another_first_value(self, handle: Model) -> None:
        text = FORMATS["btor2"].export(handle).text
        assert differences(handle, text.replace("2 const 1 1", "2 const 1 0")) == ["first value of enabled"]

    def test_a_lost_frame_condition(self, handle: Model) -> None:
        text = FORMATS["btor2"].export(handle).text
        line = next(line for line in text.splitlines() if re.match(r"\d+ next", line))
        number, word, kind, state, _ = line.split()
        bad = text.replace(line, f"{number} {word} {kind} {state} 2")
        assert any("does not stay" in each for each in differences(handle, bad))
