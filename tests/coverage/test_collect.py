"""What never happens in a small gate, found by hand; and that it is what mutants say."""

from __future__ import annotations

from fencepost import Actor, Bool, Kind, Properties, Protocol, Record, Step, boolean, number
from fencepost.coverage.collect import collect
from fencepost.coverage.html import render_html
from fencepost.ir.model import Model
from fencepost.mutate.crew import Setting, run_one
from fencepost.mutate.hunt import Fate
from fencepost.mutate.mutant import Operator
from fencepost.mutate.operators import mutants
from fencepost.registry import find
from tests.mutate.lock import lock


class State(Record):
    """A gate that opens twice at most."""

    open = boolean()
    times = number(0, 2)


GUARD = Actor("guard")


def gate(planted: bool) -> Model:
    """With a branch, a guard, an action and a property that nothing ever comes to, if `planted`."""
    protocol = Protocol("gate", state=State)

    @protocol.action(by=GUARD, src="gate.c", kind=Kind.ENVIRONMENT)
    def turn(m: Step, s: State) -> None:
        """Open it, or shut it."""
        if planted:
            m.require((s.times < 2) & (s.times != 2), "not worn")
        else:
            m.require(s.times < 2, "not worn")
        with m.when(s.open):
            s.times = s.times + 1
        if planted:
            with m.when(s.open & (s.times == 0)):
                s.times = 0
        s.open = ~s.open

    if planted:

        @protocol.action(by=GUARD, src="gate.c", kind=Kind.ENVIRONMENT)
        def force(m: Step, s: State) -> None:
            """Never possible: it wears out shut."""
            m.require(s.open, "open")
            m.require(s.times == 2, "worn")
            s.open = False

    properties = Properties("gate")

    @properties.invariant("counts", protects="gate.c", twin=lambda s: (s.times == 2) & s.open if planted else s.open)
    def counts(s: State) -> Bool:
        """It opens twice at most."""
        return s.times <= 2

    return protocol.build(properties=(properties,))


def test_nothing_is_missing() -> None:
    found = collect(gate(False), None)
    assert (found.states, found.complete) == (5, True)
    assert list(found.holes()) == []
    assert [part.alone for part in found.parts] == [True]


def test_each_planted_hole_is_told() -> None:
    told = [text for _, text in collect(gate(True), None).holes()]
    assert told == [
        "force never fires",
        'turn: `times < 2` of "not worn" never is the only one in the way',
        'turn: `times != 2` of "not worn" never is the only one in the way',
        "turn: the branch on `open@2 and times@2 == 0` is never taken",
        "counts: its situation never happens",
    ]


def test_what_lies_beyond_the_depth_is_missing() -> None:
    found = collect(gate(False), 1)
    assert (found.states, found.complete, found.depth) == (2, False, 1)
    assert [text for _, text in found.holes()] == [
        'turn: `times < 2` of "not worn" never is the only one in the way',
        "turn: the branch on `open` is never taken",
    ]


def test_a_conjunct_that_never_is_alone_in_the_way_can_be_left_out() -> None:
    """The two are found by different means: conditions looked at in states, and steps compared."""
    for model in (lock(), gate(True), find("recycled-handle").build(sizes={"queues": 1, "handles": 2, "slots": 2})):
        alone = {(part.action, part.guard): [] for part in collect(model, None).parts}  # type: ignore[var-annotated]
        for part in collect(model, None).parts:
            alone[part.action, part.guard].append(part)
        given = Setting.of(model, None, 10_000, 60.0)
        checked = 0
        for mutant in mutants(model, [Operator.GUARD, Operator.CONJUNCT]):
            for (action, guard), parts in alone.items():
                words = mutant.change.words
                if mutant.change.action != action or f'"{guard}"' not in words:
                    continue
                mine = [p for p in parts if words.startswith(f"`{p.text}` left")] or (parts if len(parts) == 1 else [])
                for part in mine:
                    equivalent = run_one(given, mutant).fate is Fate.EQUIVALENT
                    # Where it alone is in the way the mutant takes a step, so that it differs.
                    assert equivalent is not part.alone, (action, words)
                    checked += 1
        assert checked > 1


def test_the_page_marks_lines() -> None:
    page = render_html(collect(gate(True), None))
    assert '<tr class="hole">' in page
    assert '<tr class="met">' in page
    assert "force never fires" in page
    assert "<script" not in page
