"""A property that says nothing and an action that cannot happen, planted: each engine says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fencepost.check import Check, Outcome, check, conclude
from fencepost.coverage.collect import collect
from fencepost.engines import ENGINES, Limits
from fencepost.ir.model import Model, PropertyKind
from fencepost.mutate.crew import Setting, run_mutants
from fencepost.mutate.hunt import Fate
from fencepost.mutate.operators import mutants
from fencepost.registry import find
from fencepost.report import report
from fencepost.stateful import walk
from fencepost.verdict import Verdict
from tests.foreign import lacking

SOURCE = '''
from fencepost import Actor, Bool, Kind, Properties, Protocol, Record, Step, boolean

class State(Record):
    open = boolean()
    worn = boolean()

protocol = Protocol("gate", state=State)

@protocol.action(by=Actor("guard"), src="gate.c", kind=Kind.ENVIRONMENT)
def turn(m: Step, s: State) -> None:
    """Open it, or shut it."""
    s.open = ~s.open

@protocol.action(by=Actor("guard"), src="gate.c", kind=Kind.ENVIRONMENT)
def force(m: Step, s: State) -> None:
    """Only a worn gate can be forced, and none wears out until it is forced."""
    m.require(s.worn, "worn")
    s.open = True
    s.worn = s.open

properties = Properties("gate")

@properties.invariant("worn-is-shut", protects="gate.c", twin=lambda s: s.worn)
def worn_is_shut(s: State) -> Bool:
    """A worn gate is shut."""
    return s.worn.implies(~s.open)
'''


UNCOUNTED = "no actions were counted: which of them never fire is told by explore, walk and verify coverage"


@pytest.fixture
def gate(tmp_path: Path) -> Model:
    path = tmp_path / "gate.py"
    path.write_text(SOURCE, "utf-8")
    return find(str(path)).build()


def told(found: Check) -> str:
    return "\n".join(line.plain for line in report(found, "default"))


def decided(found: Check) -> tuple[Verdict, str]:
    return found.decisions[0].verdict, found.decisions[0].why


def test_exploring_to_the_end(gate: Model) -> None:
    found = check(gate, "explore", Limits())
    assert decided(found)[0] is Verdict.VACUOUS
    assert found.outcome() is Outcome.VACUOUS
    assert "worn-is-shut says nothing" in told(found)
    assert any(line.startswith("force") and line.endswith("never fired") for line in told(found).splitlines())


def test_exploring_to_a_depth(gate: Model) -> None:
    found = check(gate, "explore", Limits(depth=1))
    assert decided(found) == (Verdict.NO_VIOLATION, "not exercised")
    assert any(line.startswith("force") and line.endswith("never fired") for line in told(found).splitlines())
    assert found.outcome(cover=True) is Outcome.UNCOVERED


@pytest.mark.parametrize("engine", ["bmc", "sat"])
def test_the_bounded_checks(gate: Model, engine: str) -> None:
    found = check(gate, engine, Limits(depth=3))
    assert decided(found) == (Verdict.NO_VIOLATION, "not exercised")
    assert UNCOUNTED in told(found)


def test_induction(gate: Model) -> None:
    """It does not look for what never happens, and says who does."""
    found = check(gate, "induction", Limits())
    assert decided(found) == (
        Verdict.PROVED,
        "for every depth, by 2-induction, not known whether exercised, which explore tells",
    )
    assert UNCOUNTED in told(found)


@pytest.mark.parametrize("engine", ["learn", pytest.param("pdr", marks=pytest.mark.foreign)])
def test_invariants(gate: Model, engine: str) -> None:
    if reason := ENGINES[engine].missing():
        lacking(reason)
    found = check(gate, engine, Limits())
    assert decided(found) == (Verdict.VACUOUS, "for every depth, but its antecedent never happens")
    assert found.outcome() is Outcome.VACUOUS
    assert "worn-is-shut says nothing" in told(found)
    assert UNCOUNTED in told(found)


def test_every_engine_has_a_row_on_the_page() -> None:
    """docs/trust.md says of each what it tells of a property that says nothing and of an action that never happens."""
    page = (Path(__file__).parents[1] / "docs" / "trust.md").read_text("utf-8")
    table = page.partition("## A property that says nothing")[2]
    named = {name for line in table.splitlines() if line.startswith("| ") for name in re.findall(r"`(\w+)`", line[:40])}
    assert set(ENGINES) <= named


@pytest.mark.parametrize("engine", ["sat", "walk"])
def test_of_responses(engine: str) -> None:
    """Who says nothing of them names them, and who does."""
    found = check(find("cpu-wait").build(), engine, Limits(depth=1, timeout=20.0))
    names = [prop.name for prop in found.model.properties if prop.kind is PropertyKind.RESPONSE]
    assert names
    row = next(line for line in told(found).splitlines() if line.startswith(f"  {engine} "))
    assert row.endswith(
        f"; nothing of {', '.join(names)}: does not look for runs without an end, which explore and bmc do"
    )
    assert {d.name for d in found.decisions if d.verdict is Verdict.INCONCLUSIVE} >= set(names)


def test_the_walk(gate: Model) -> None:
    found = conclude(gate, Limits(depth=3), (walk.run(gate, depth=3, runs=20, machine_runs=0),))
    assert decided(found)[0] is Verdict.INCONCLUSIVE
    assert found.decisions[0].reached is None
    assert found.actions["force"].fired == 0
    assert found.actions["turn"].fired > 0


def test_coverage(gate: Model) -> None:
    told_of = [text for _, text in collect(gate, None).holes()]
    assert told_of == ["force never fires", "worn-is-shut: its situation never happens"]


def test_mutation(gate: Model) -> None:
    every = mutants(gate)
    results = run_mutants(Setting.of(gate, None, 100, 10.0), every, 1)
    of_force = [r.fate for m, r in zip(every, results, strict=True) if m.change.action == "force"]
    # Without its guard it can happen; whatever else is wrong with it makes no difference.
    assert set(of_force) - {Fate.EQUIVALENT} <= {Fate.KILLED, Fate.SURVIVED}
    assert of_force.count(Fate.EQUIVALENT) >= 2
    assert not any(r.fate is Fate.KILLED for m, r in zip(every, results, strict=True) if m.change.action == "turn")
