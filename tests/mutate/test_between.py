"""A split that nobody can see is equivalent; one that somebody sees is not, though no property is violated."""

from __future__ import annotations

from fencepost import Actor, Kind, Protocol, Record, Step, boolean
from fencepost.ir.model import Model
from fencepost.mutate.crew import Setting, run_one
from fencepost.mutate.hunt import Behaviour, Fate, Result
from fencepost.mutate.mutant import Operator
from fencepost.mutate.operators import mutants

WRITER, READER = Actor("writer"), Actor("reader")


class State(Record):
    """Two flags of the writer, and what the reader saw."""

    first = boolean()
    second = boolean()
    seen = boolean()


def model(*, looks: bool) -> Model:
    """The reader looks at both flags, or at none."""
    protocol = Protocol("flags", state=State)

    @protocol.action(by=WRITER, src="flags.c", kind=Kind.ENVIRONMENT)
    def write(m: Step, s: State) -> None:
        """Set both."""
        m.require(~s.second, "not yet")
        s.first = True
        s.second = True

    @protocol.action(by=READER, src="flags.c", kind=Kind.ENVIRONMENT)
    def read(m: Step, s: State) -> None:
        """Look whether one is set without the other."""
        m.require(~s.seen, "not seen")
        s.seen = (s.first & ~s.second) if looks else True

    return protocol.build()


def of_split(given: Model) -> Result:
    (mutant,) = [one for one in mutants(given, [Operator.SPLIT]) if one.change.action == "write"]
    return run_one(Setting.of(given, None, 100, 10.0), mutant)


def test_nobody_looks() -> None:
    result = of_split(model(looks=False))
    assert (result.fate, result.proof) == (Fate.EQUIVALENT, "whatever comes in between could as well come after it")


def test_somebody_looks() -> None:
    # Between the two the reader sees one without the other, which it never does in the original.
    assert of_split(model(looks=True)).fate in (Fate.SURVIVED, Fate.COVERAGE)


def test_what_no_step_looks_at() -> None:
    """The flag is set and never read: without it the same steps follow, in other states."""
    given = model(looks=False)
    (mutant,) = [one for one in mutants(given, [Operator.DROP]) if one.change.words == "`first = true` left out"]
    result = run_one(Setting.of(given, None, 100, 10.0), mutant)
    assert (result.fate, result.kind) == (Fate.SURVIVED, Behaviour.SAME_STEPS)
    seen = model(looks=True)
    (mutant,) = [one for one in mutants(seen, [Operator.DROP]) if one.change.words == "`second = true` left out"]
    assert run_one(Setting.of(seen, None, 100, 10.0), mutant).kind is not Behaviour.SAME_STEPS
