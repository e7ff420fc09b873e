"""Searching orbits: as many as there are, the same verdicts and lengths as without, and paths that replay."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings

from fencepost import (
    Actor,
    Bool,
    Index,
    Properties,
    Protocol,
    Record,
    Size,
    Step,
    array,
    boolean,
    exists,
    maybe,
    members,
    part,
    table,
)
from fencepost.errors import InternalError, ModelError, UsageError
from fencepost.exec import orbit_c, orbit_python, orbits
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.exec.layout import Layout
from fencepost.exec.sort_network import network
from fencepost.explore import bfs
from fencepost.explore.compiler import find_compiler
from fencepost.explore.native import Compiled, Native
from fencepost.ir.model import Model
from fencepost.ir.symmetry import roles
from fencepost.registry import find
from fencepost.verdict import Manner, Run, Stop
from fencepost.verdict import Path as Steps
from fencepost_rocm.hardware.signals import SignalPool
from fencepost_rocm.hardware.sorts import Handle
from tests.explore.naive import search
from tests.profile import examples
from tests.symmetric import orbit, symmetric_models

pytestmark = pytest.mark.usefixtures("own_cache")

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


class Worker(Index):
    """Takes handles from a stack and gives them back in any order."""


class Desk(Record):
    holds = maybe(Handle)
    waits_for = maybe(Worker)


class Office(Record):
    pool = part(SignalPool)
    desks = table(Worker, Desk)
    rung = array(Handle, boolean())
    away = members(Worker)


office = Protocol(
    "office",
    state=Office,
    sizes=[
        Size("workers", Worker, default=2, symmetric=True),
        Size("handles", Handle, default=3, symmetric=True),
    ],
)
WORKER = Actor("worker", lane="worker")


@office.action(by=WORKER, src="nothing")
def take(m: Step, s: Office, worker: Worker) -> None:
    """The handle that was given back last."""
    m.require(s.desks[worker].holds.is_none & ~s.away.has(worker), "free")
    m.bound(s.pool.can_create(), "a handle")
    s.desks[worker].holds = s.pool.create(m, 1)


@office.action(by=WORKER, src="nothing")
def ring(m: Step, s: Office, worker: Worker) -> None:
    """Once."""
    m.require(s.desks[worker].holds.is_some & ~s.rung[s.desks[worker].holds.get], "not rung")
    s.rung[s.desks[worker].holds.get] = True


@office.action(by=WORKER, src="nothing")
def give(m: Step, s: Office, worker: Worker) -> None:
    """Back, and whoever waits goes on."""
    m.require(s.desks[worker].holds.is_some, "holds")
    s.pool.destroy(m, s.desks[worker].holds.get)
    s.desks[worker].holds = None
    for other in m.each(Worker):
        with m.when(s.desks[other].waits_for == worker):
            s.desks[other].waits_for = None


@office.action(by=WORKER, src="nothing")
def wait(m: Step, s: Office, worker: Worker, other: Worker) -> None:
    """For somebody else."""
    m.require((worker != other) & s.desks[worker].waits_for.is_none, "idle")
    m.require(s.desks[other].holds.is_some, "busy")
    s.desks[worker].waits_for = other
    s.away = s.away.adding(worker)


PROPERTIES = Properties("office")


@PROPERTIES.invariant("not-both-away", protects="nothing", twin=lambda s, worker: s.away.has(worker))
def not_both_away(s: Office, worker: Worker, other: Worker) -> Bool:
    """Not two of them wait for each other."""
    return (s.desks[worker].waits_for != other) | (s.desks[other].waits_for != worker)


@PROPERTIES.invariant("never-rung", protects="nothing", twin=lambda s, handle: s.rung[handle])
def never_rung(s: Office, handle: Handle) -> Bool:
    """No handle that lies on the stack was rung while a worker is away."""
    return ~(s.rung[handle] & ~s.pool.signals[handle].alive & exists(Worker, s.away.has))


def model_of(workers: int = 2, handles: int = 3, properties: bool = True) -> Model:
    return office.build(sizes={"workers": workers, "handles": handles}, properties=[PROPERTIES] if properties else [])


def in_python(model: Model, depth: int | None = None) -> Run:
    return evolve(bfs.run(model, depth=depth, compile_after=None, manner=Manner(1, symmetry=True)), seconds=0)


def in_c(model: Model, threads: int = 1, depth: int | None = None) -> Run:
    native = Native.of(model, model.properties, symmetry=True)
    assert isinstance(native, Native)
    compiled = native.ready(wait=True)  # what was compiled before is searched in C at once
    assert isinstance(compiled, Compiled)
    compiled.close()
    return evolve(bfs.run(model, depth=depth, compile_after=0, manner=Manner(threads, symmetry=True)), seconds=0)


def reached(model: Model, depth: int | None) -> set[State]:
    interpreter = Interpreter(model)
    level = {interpreter.initial()}
    found, at = set(level), 0
    while level and at != depth:
        steps = (interpreter.fire(state, action, args) for state in level for action, args in interpreter.instances())
        level = {step.state for step in steps if isinstance(step, Stepped)} - found
        found |= level
        at += 1
    return found


def orbits_within(model: Model, depth: int | None) -> int:
    """Counted by renaming every state that is reached in every way."""
    every = roles(model)
    return len({orbit(model, state, every) for state in reached(model, depth)})


def replay(model: Model, path: Steps) -> State:
    interpreter = Interpreter(model)
    state = interpreter.initial()
    for name, args in path:
        step = interpreter.fire(state, model.action(name), args)
        assert isinstance(step, Stepped)
        state = step.state
    return state


@pytest.mark.parametrize(("workers", "handles"), [(2, 2), (2, 3), (3, 2)])
def test_both_searches_count_the_orbits(workers: int, handles: int) -> None:
    """With handles in a stack, an index that refers to its own sort, and a set: sorted and tried in each order."""
    model = model_of(workers, handles, properties=False)
    found = in_python(model)
    assert found.stop is Stop.EXHAUSTED
    assert found.states == orbits_within(model, None)
    assert found.symmetry == ("Handle", "Worker")
    if find_compiler() is not None:
        assert in_c(model) == in_c(model, threads=2) == found


def test_paths_are_shortest_and_of_the_model_itself() -> None:
    model = model_of()
    plain, found = bfs.run(model, compile_after=None), in_python(model)
    assert {f.name: len(f.path) for f in found.findings} == {f.name: len(f.path) for f in plain.findings}
    assert len(found.findings) == 2
    assert found.twins == plain.twins
    for finding in found.findings:
        prop = model.property(finding.name)
        assert not Interpreter(model).evaluate(replay(model, finding.path), prop.holds, prop.name)
    if find_compiler() is not None:
        assert in_c(model) == found


RANDOM = settings(
    deadline=None, max_examples=examples(30), phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
DEPTH = 5


@RANDOM
@given(symmetric_models())
def test_random_models_have_the_same_verdicts(model: Model) -> None:
    naive, found = search(model, DEPTH), in_python(model, DEPTH)
    names = {prop.name for prop in model.properties}
    lengths = {finding.name: len(finding.path) for finding in found.findings}
    assert {n: d for n, d in lengths.items() if n in names} == {n: d for n, d in naive.findings.items() if n in names}
    # Which of several obligations is told may depend on names; that one is broken, and how early, does not.
    assert min(lengths.values(), default=None) == min(naive.findings.values(), default=None)
    assert lengths.keys() <= naive.findings.keys()
    assert found.twins == naive.twins
    assert {name for name, count in found.actions.items() if count.fired} == {n for n, c in naive.fired.items() if c}
    assert bool(found.cut) is bool(naive.cut)
    assert bool(found.held_back) is bool(naive.held_back)
    if found.stop is not Stop.DECIDED:
        assert found.states == orbits_within(model, DEPTH)
    for finding in found.findings:
        replay(model, finding.path if finding.name in names or finding.in_state else finding.path[:-1])


@needs_compiler
@settings(RANDOM, max_examples=examples(12))
@given(symmetric_models())
def test_random_models_in_c(model: Model) -> None:
    assert in_c(model, threads=2, depth=DEPTH) == in_python(model, DEPTH)


def wrong_swap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(orbit_c, "network", lambda count: list(network(count))[:-1])
    right = orbit_python.sorted_source
    patch.setattr(orbit_python, "sorted_source", lambda renaming: right(renaming).replace("sorted((", "(("))


def forgotten_reference(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(orbits, "_held", lambda sort, var, slot: iter(()))
    patch.setattr(orbit_python, "_renamed", lambda sort, packed, new: packed)
    patch.setattr(orbit_c, "_renamed", lambda var, new: "")


def elements_stay(patch: pytest.MonkeyPatch) -> None:
    right = orbits._field
    patch.setattr(orbits, "_field", lambda width, at: right(width, (at[0],) * len(at)))


@pytest.mark.parametrize("plant", [wrong_swap, forgotten_reference, elements_stay])
@pytest.mark.parametrize("run", [in_python, pytest.param(in_c, marks=needs_compiler)])
def test_a_wrong_renaming_is_seen(run: object, plant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(2, 3, properties=False)
    right = orbits_within(model, None)
    plant(monkeypatch)  # type: ignore[operator]
    try:
        found = run(model).states  # type: ignore[operator]
    except InternalError:
        return  # what was found could not be followed
    assert found != right


def test_what_is_sorted_and_what_is_tried() -> None:
    """Sorting is for roles that no variable has twice, and no two of which some variable has."""
    model = model_of()
    renaming = orbits.orbits(model, Layout.in_words(model))
    assert renaming is not None
    assert [role.sort.name for role, _ in renaming.sorted] == ["Handle"]
    assert [orders.role.sort.name for orders in renaming.tried] == ["Worker"]


def test_too_many_orders_are_not_tried() -> None:
    model = model_of(8, 3)
    renaming = orbits.orbits(model, Layout.in_words(model))
    assert renaming is not None
    assert (renaming.names, renaming.left_out) == (("Handle",), ("Worker",))


@needs_compiler
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("sizes", "count", "depth"),
    [
        ((3, 2, 3), 23_636, 27),
        ((3, 3, 3), 540_616, 35),
        ((4, 3, 2), 378_507, 36),
        pytest.param((3, 3, 4), 2_612_762, 38, marks=pytest.mark.deep),
        pytest.param((4, 3, 3), 3_812_980, 40, marks=pytest.mark.deep),
    ],
)
def test_the_recycled_handle_has_the_orbits_that_others_count(
    sizes: tuple[int, int, int], count: int, depth: int, threads: int
) -> None:
    """The counts of another checker's scalar sets and of a prototype."""
    model = find("recycled-handle").build(sizes=dict(zip(("queues", "handles", "slots"), sizes, strict=True)))
    found = in_c(model, threads)
    assert (found.states, found.depth, found.findings) == (count, depth, ())


@needs_compiler
def test_a_search_of_orbits_is_gone_on_with(tmp_path: Path) -> None:
    model, kept = model_of(properties=False), tmp_path / "kept"
    bfs.run(model, depth=4, manner=Manner(2, kept, symmetry=True))
    again = bfs.run(model, manner=Manner(2, kept, resume=True, symmetry=True))
    assert evolve(again, seconds=0, reason="") == in_c(model)
    with pytest.raises(UsageError, match="another"):
        bfs.run(model, manner=Manner(2, kept, resume=True))


def test_responses_are_looked_at_without_symmetry() -> None:
    protocol = find("cpu-wait")
    model = protocol.build(variant=None, sizes={"threads": 2})
    asked = next((prop.name for prop in model.properties if prop.response is not None), None)
    if asked is None:
        pytest.skip("no response among the properties")
    found = bfs.run(model, depth=2, properties=[asked], compile_after=None, manner=Manner(1, symmetry=True))
    assert found.symmetry == ()
    assert found.reason == "without symmetry, for responses are asked for"


def test_a_model_without_symmetry_is_searched_as_it_is() -> None:
    model = find("recycled-handle").build()
    plain = bfs.run(model, compile_after=None)
    assert in_python(evolve(model, symmetric=())) == evolve(plain, seconds=0)
    with pytest.raises(UsageError):
        bfs.run(model, properties=["none"], manner=Manner(symmetry=True))


TELLING = Properties("office")


@TELLING.invariant("the-first-one-stays", protects="nothing", twin=lambda s: s.away.has(Worker.at(0)))
def the_first_one_stays(s: Office) -> Bool:
    """The first worker is not away."""
    return ~s.away.has(Worker.at(0))


def test_a_property_may_tell_indices_apart_where_nobody_asks_for_symmetry() -> None:
    model = office.build(properties=[PROPERTIES, TELLING])
    assert bfs.run(model, depth=2, compile_after=None).stop is Stop.DEPTH
    found = bfs.run(model, depth=2, properties=["never-rung"], compile_after=None, manner=Manner(1, symmetry=True))
    assert found.symmetry == ("Handle", "Worker")
    with pytest.raises(ModelError, match="0 is a certain Worker, which is declared symmetric"):
        bfs.run(model, depth=2, compile_after=None, manner=Manner(1, symmetry=True))


def test_an_extension_may_tell_indices_apart_where_nobody_asks_for_symmetry() -> None:
    mine = office.extend("mine")

    @mine.action(by=Actor("boss"), src="nothing")
    def send_away(m: Step, s: Office) -> None:
        """The first one."""
        s.away = s.away.adding(Worker.at(0))

    model = mine.build(properties=[])
    assert bfs.run(model, depth=2, compile_after=None).stop is Stop.DEPTH
    with pytest.raises(ModelError, match="0 is a certain Worker, which is declared symmetric"):
        bfs.run(model, depth=2, compile_after=None, manner=Manner(1, symmetry=True))
