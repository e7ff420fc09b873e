"""What a protocol is tested with under pytest, in a few lines (`pytest properties/` of this repository does).

    class TestMine(ProtocolTests):
        subject = "my_protocol.py"

checks that no property is violated (except those named in `violated`), that each is exercised, and
that each variant violates what it says it breaks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from attrs import evolve
from hypothesis.stateful import run_state_machine_as_test

from fencepost import registry
from fencepost.engines import ENGINES
from fencepost.ir.model import Model
from fencepost.stateful import walk
from fencepost.stateful.machine import machine
from fencepost.verdict import Run


class ProtocolTests:
    """Tests of one protocol; a subclass says which and how far to go.

    Every test is repeatable and bounded by counts, not by time, except that a variant's violation
    has to be found within `seconds`.
    """

    subject: ClassVar[str]
    """The name of an installed protocol, or the path of a file."""
    depth: ClassVar[int] = 12
    """How many steps of the protocol as it is are explored, and of variants that break nothing."""
    walks: ClassVar[int] = 100
    """Random walks that look for violations and exercise properties."""
    machine_runs: ClassVar[int] = 20
    """Runs of the Hypothesis state machine."""
    violated: ClassVar[Mapping[str, str]] = {}
    """Properties that the protocol as it is violates, each with where that is written up."""
    unexercised: ClassVar[Mapping[str, str]] = {}
    """Properties whose situation none of these runs comes to, each with why."""
    beyond: ClassVar[Mapping[str, str]] = {}
    """Variants whose violation is not looked for here, each with why."""
    seconds: ClassVar[float] = 60.0

    @classmethod
    def pytest_generate_tests(cls, metafunc: Any) -> None:
        """One test for each variant."""
        if "variant" in metafunc.fixturenames:
            variants = [variant.name for variant in registry.find(cls.subject).protocol.variants]
            metafunc.parametrize("variant", [name for name in variants if name not in cls.beyond])

    def test_no_other_property_is_violated_within_the_depth(self) -> None:
        """Explore the protocol as it is, breadth first."""
        _require_only(self.violated, _explored(self.subject, self.depth))

    def test_no_other_property_is_violated_on_random_walks(self) -> None:
        """Walk at random, much further than that."""
        _require_only(self.violated, self._walked())

    def test_the_state_machine_passes(self) -> None:
        """Run the protocol as a Hypothesis state machine, every step of which the interpreter takes too."""
        model = _model(self.subject, None)
        rest = evolve(model, properties=tuple(prop for prop in model.properties if prop.name not in self.violated))
        run_state_machine_as_test(machine(rest), settings=walk.machine_settings(self.machine_runs, walk.MACHINE_STEPS))

    def test_every_other_property_is_exercised(self) -> None:
        """The situation that makes a property interesting happens."""
        reached = _explored(self.subject, self.depth).twins.keys() | self._walked().twins.keys()
        for prop in _model(self.subject, None).properties:
            known = prop.name in self.unexercised
            if prop.name not in reached and not known and prop.name not in self.violated:
                raise AssertionError(f"{prop.name} is never exercised: its twin never happens")
            if prop.name in reached and known:
                raise AssertionError(f"{prop.name} is exercised, but named in `unexercised`")

    def _walked(self) -> Run:
        return _walked(self.subject, self.walks, frozenset(self.violated))

    def test_a_variant_breaks_what_it_says(self, variant: str) -> None:
        """A variant violates its property; one that breaks nothing violates nothing within the depth."""
        model = _model(self.subject, variant)
        breaks = registry.find(self.subject).protocol.variant(variant).breaks
        if breaks is None:
            _require_only((), _explore(model, depth=self.depth, timeout=None))
            return
        asked = [prop.name for prop in model.properties if prop.name == breaks]
        run = _explore(model, depth=None, timeout=self.seconds, properties=asked)
        if all(finding.name != breaks for finding in run.findings):
            raise AssertionError(
                f"{breaks} is not violated in {run.states} states, to depth {run.depth} ({run.stop.value})"
            )


def _require_only(known: Collection[str], run: Run) -> None:
    """No finding but known ones."""
    __tracebackhide__ = True
    for finding in run.findings:
        if finding.name not in known:
            steps = " ".join(f"{name}({', '.join(map(str, args))})" for name, args in finding.path)
            raise AssertionError(f"{finding.name} is violated in {len(finding.path)} steps: {steps}")


_explore = ENGINES["explore"].load()


@lru_cache(maxsize=8)
def _model(subject: str, variant: str | None) -> Model:
    return registry.find(subject).build(variant=variant)


@lru_cache(maxsize=8)
def _explored(subject: str, depth: int) -> Run:
    return _explore(_model(subject, None), depth=depth, timeout=None)


@lru_cache(maxsize=8)
def _walked(subject: str, walks: int, known: frozenset[str]) -> Run:
    """Random walks that pay no heed to what is known to be violated: shrinking it would take most of the time."""
    model = _model(subject, None)
    properties = [prop.name for prop in model.properties if prop.name not in known]
    return walk.run(model, runs=walks, machine_runs=0, properties=properties)
