"""AIGER files: read back by a reader of our own, and by ABC, whose verdicts are those of brute force."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from attrs import evolve, frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.aig import aiger
from fencepost.aig.circuit import circuit_of
from fencepost.aig.witness import choices, finding_in
from fencepost.errors import UsageError
from fencepost.exec.interpreter import Broken, Interpreter, Stepped
from fencepost.ir.expr import FALSE, TRUE, Compare, Not, Read, Relation, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL
from fencepost.ir.stmt import Assign
from fencepost.verdict import Finding
from tests.engines.agreement import judged
from tests.foreign import need
from tests.profile import examples
from tests.smt import tiny
from tests.smt.runs import walk_of_two
from tests.smt.tiny import counter, looping, never, prop
from tests.strategies import models


@frozen
class Written:
    """An AIGER file, as its format's description says: literals of latches' next values, gates, and bads."""

    inputs: int
    latches: list[tuple[int, int]]
    gates: list[tuple[int, int, int]]
    bads: list[int]
    symbols: dict[str, str]

    def run(self, choices: list[list[int]]) -> list[list[int]]:
        """The bad literals' values in each state of a run with these inputs."""
        bits, seen = [reset for _, reset in self.latches], list[list[int]]()
        for inputs in choices:
            values = [0, *inputs, *bits]
            for _, a, b in self.gates:
                values.append(self._value(values, a) & self._value(values, b))
            seen.append([self._value(values, bad) for bad in self.bads])
            bits = [self._value(values, following) for following, _ in self.latches]
        return seen

    @staticmethod
    def _value(values: list[int], literal: int) -> int:
        return values[literal // 2] ^ literal % 2


def read(data: bytes) -> Written:
    """Both formats."""
    first, _, rest = data.partition(b"\n")
    kind, *numbers = first.split()
    most, inputs, latches, outputs, gates, *more = (*map(int, numbers), 0, 0)
    bads = outputs + more[0]

    def line() -> list[int]:
        nonlocal rest
        text, _, rest = rest.partition(b"\n")
        return [int(word) for word in text.split()]

    def delta() -> int:
        nonlocal rest
        number = shift = 0
        while True:
            byte, rest = rest[0], rest[1:]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    plain = kind == b"aag"
    if plain:
        assert [line() for _ in range(inputs)] == [[2 * (i + 1)] for i in range(inputs)]
    held = []
    for number in range(latches):
        words = line()
        if plain:
            assert words.pop(0) == 2 * (inputs + number + 1)
        held.append((words[0], words[1] if len(words) > 1 else 0))
    found = [line()[0] for _ in range(bads)]
    made = []
    for number in range(gates):
        this = 2 * (inputs + latches + number + 1)
        if plain:
            left, a, b = line()
        else:
            left, a = this, this - delta()
            b = a - delta()
        assert this == left > a >= b
        made.append((left, a, b))
    assert most == inputs + latches + gates
    symbols = dict(one.split(" ", 1) for one in rest.decode().partition("c\n")[0].splitlines())
    return Written(inputs, held, made, found, symbols)


@settings(suppress_health_check=list(HealthCheck), max_examples=examples(30))
@given(st.data(), models(), st.sampled_from(aiger.Form), st.booleans())
def test_both_formats_say_what_the_interpreter_does(
    data: st.DataObject, model: Model, form: aiger.Form, whole: bool
) -> None:
    circuit, interpreter = circuit_of(model), Interpreter(model)
    design = aiger.design(circuit, form=form, whole=whole)
    plain, binary = read(aiger.ascii_text(design).encode()), read(aiger.binary(design))
    assert plain == binary
    steps = list(interpreter.instances())
    numbers = data.draw(st.lists(st.integers(0, len(steps) - 1), min_size=1, max_size=6))
    seen = binary.run([[number >> place & 1 for place in design.inputs] for number in numbers])
    state = interpreter.initial()
    for number, bads in zip(numbers, seen, strict=True):
        told = {name for (name, _), bad in zip(design.bads, bads, strict=True) if bad}
        steps_broken = {found.obligation for one in steps if isinstance(found := interpreter.fire(state, *one), Broken)}
        assert steps_broken <= told
        for prop_ in model.properties:
            assert (prop_.name in told) == judged(interpreter, state, prop_)[0]
        outcome = interpreter.fire(state, *steps[number])
        if set(design.inputs) == set(range(len(circuit.inputs))) and isinstance(outcome, Stepped):
            state = outcome.state
        elif isinstance(outcome, Stepped):
            return  # inputs that do not matter are left out, and which step is meant is not told


def test_a_small_design_is_what_one_would_write_by_hand() -> None:
    circuit = circuit_of(counter(1, never(1, 1)))
    text = aiger.ascii_text(aiger.design(circuit))
    # One latch, which is set for good by its only step.
    assert text.splitlines()[:4] == ["aag 1 0 1 0 0 1", "2 1", "2", "l0 x"]
    assert "b0 never" in text
    assert text.endswith("0 tick()\n")
    known = circuit_of(looping(prop("p", TRUE), prop("q", FALSE)))
    assert aiger.ascii_text(aiger.design(known, form=aiger.Form.ABC)).startswith("aag 0 0 0 2 0\n0\n1\no0 p\no1 q\n")


def test_latches_that_begin_as_one_are_negated_for_abc() -> None:
    x = Var("x", BOOL, (), (1,))
    model = tiny.model([x], [tiny.action("stay", [Assign(x, (), Read(x), 1)])], prop("never", Not(Read(x))))
    assert aiger.ascii_text(aiger.design(circuit_of(model))).splitlines()[1:4] == ["2 2 1", "2", "l0 x"]
    plain = aiger.ascii_text(aiger.design(circuit_of(model), form=aiger.Form.ABC))
    assert plain.splitlines()[:4] == ["aag 1 0 1 1 0", "2 2", "3", "l0 not x"]


def test_constraints_and_what_cannot_be_written() -> None:
    circuit = circuit_of(counter(2, never(2, 2)))
    text = aiger.ascii_text(aiger.design(circuit, constraints={"within": circuit.within}))
    assert "c0 within" in text
    with pytest.raises(UsageError, match="has no constraints"):
        aiger.design(circuit, constraints={"within": circuit.within}, form=aiger.Form.ABC)
    with pytest.raises(UsageError, match="nothing bad is called 'nevr'; there are never"):
        aiger.design(circuit, ["nevr"])


UP, FOLLOW, BACK, STOP = "00", "10", "01", "11"
"""Numbers of the steps of `walk_of_two`, the lowest bit first; `back` is not possible at first."""

STEPS = (BACK, UP, FOLLOW, UP, FOLLOW, STOP, UP)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(["1", "b1", "00000", *STEPS, "."]),
        "\n".join(["00000", *STEPS, "# DONE"]),
        "00000" + "".join(STEPS) + "# DONE",
        "# a comment\n" + "\n".join(f"step.{i}@{k}={bit}" for k, one in enumerate(STEPS) for i, bit in enumerate(one)),
    ],
    ids=["aiger", "abc -a", "abc", "abc -n"],
)
def test_a_witness_is_read_in_each_form(text: str) -> None:
    design = aiger.design(circuit_of(walk_of_two()), whole=True)
    path = tuple((name, ()) for name in ("up", "follow", "up", "follow", "stop"))
    assert finding_in(design, text, "never-stopped") == Finding("never-stopped", path)
    with pytest.raises(UsageError, match="does not lead to a violation of y-below-3"):
        finding_in(design, text, "y-below-3")


def test_what_is_no_witness_is_refused() -> None:
    design = aiger.design(circuit_of(counter(2, never(2, 2))), whole=True)
    with pytest.raises(UsageError, match="says that there is no counterexample"):
        choices(design, "0\nb0\n.\n")
    with pytest.raises(UsageError, match="no counterexample of a circuit with 2 latches and 0 inputs"):
        choices(design, "perhaps")


def abc(script: str, folder: Path) -> str:
    command = [need("berkeley-abc", "abc"), "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False).stdout


def looked_at_by_abc(model: Model, name: str, how: str, folder: Path) -> Finding | None:
    """What ABC finds, its counterexample taken by the interpreter."""
    design = aiger.design(circuit_of(model), [name], form=aiger.Form.ABC)
    (folder / "m.aig").write_bytes(aiger.binary(design))
    said = abc(f"read_aiger m.aig; {how}; write_cex -n m.cex; write_cex -a m.axe", folder)
    if "was asserted in frame" in said:
        findings = {finding_in(design, (folder / cex).read_text("utf-8"), name) for cex in ("m.cex", "m.axe")}
        assert len(findings) == 1
        return findings.pop()
    assert "Property proved" in said or "No output asserted" in said, said
    return None


@pytest.mark.foreign
@pytest.mark.parametrize("how", ["bmc3 -F 12", "pdr"])
def test_abc_says_the_same_of_small_models(how: str, tmp_path: Path) -> None:
    x, y = (Read(var) for var in walk_of_two().vars[:2])
    behind = prop("y-not-above-x", Compare(Relation.LE, y, x))
    model = evolve(walk_of_two(), properties=(*walk_of_two().properties, behind))
    assert looked_at_by_abc(model, "y-not-above-x", how, tmp_path) is None
    found = looked_at_by_abc(model, "y-below-3", how, tmp_path)
    assert found is not None
    assert len(found.path) >= 6
    broken = looked_at_by_abc(model, "range:up/x", how, tmp_path)
    assert broken is not None
    assert broken.path[-1] == ("up", ())
    state = Interpreter(model).initial()
    for label in broken.path[:-1]:
        outcome = Interpreter(model).fire(state, model.action(label[0]), label[1])
        assert isinstance(outcome, Stepped)
        state = outcome.state
    assert isinstance(Interpreter(model).fire(state, model.action("up"), ()), Broken)
