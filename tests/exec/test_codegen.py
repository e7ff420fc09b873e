"""Generated code on models made by hand: the expected outcomes are written out, not computed."""

from __future__ import annotations

import pytest

from fencepost.exec.codegen import Counters, Steps, compile_steps, compile_watches
from fencepost.exec.interpreter import Broken, Interpreter, State, Stepped
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.expr import TRUE, Read
from fencepost.ir.model import Guard, GuardKind, Model
from fencepost.ir.stmt import Assign
from tests.exec.tiny import HEAD, HELD, LOW, ON, REFUSED, RING, TINY, M, N, Tiny, action, equals, number

CASES = [
    pytest.param(tiny, state, args, expected, id=f"{tiny.name}: {state}{args}")
    for tiny in TINY
    for state, args, expected in tiny.outcomes
]


def outcome(steps: Steps, state: State, args: tuple[int, ...]) -> State | str:
    stepped, broken = steps.successors(steps.layout.pack(state))
    after = [steps.layout.unpack(new) for item, new in stepped if steps.instances[item].args == args]
    names = [steps.obligations[name] for item, name in broken if steps.instances[item].args == args]
    assert len(after) + len(names) <= 1
    return after[0] if after else names[0] if names else REFUSED


@pytest.mark.parametrize(("tiny", "state", "args", "expected"), CASES)
def test_generated_code_does_what_is_written(tiny: Tiny, state: State, args: tuple[int, ...], expected: object) -> None:
    assert outcome(compile_steps(tiny.model), state, args) == expected


@pytest.mark.parametrize(("tiny", "state", "args", "expected"), CASES)
def test_the_interpreter_does_what_is_written(
    tiny: Tiny, state: State, args: tuple[int, ...], expected: object
) -> None:
    got = Interpreter(tiny.model).fire(state, tiny.action, args)
    assert (
        got.state if isinstance(got, Stepped) else got.obligation if isinstance(got, Broken) else REFUSED
    ) == expected


def test_a_state_is_packed_from_the_lowest_bit_up() -> None:
    layout = Layout.of(Model("m", None, (), (), (ON, LOW, HEAD, HELD, RING), ()))
    state = ((1,), (-1,), (-1,), (0b101,), (0, 1, 2))
    # ring[2], ring[1], ring[0], held, head (-1 is 0), low (-1 is 2 above its least value), on.
    assert layout.pack(state) == 0b10_01_00_101_00_10_1
    assert layout.unpack(0b10_01_00_101_00_10_1) == state
    assert layout.bits == 14


def test_expanding_counts_and_keeps_what_is_new() -> None:
    one, two = Guard("small", equals(Read(N), number(0))), Guard("room", equals(Read(M), number(0)), GuardKind.BOUND)
    model = Model("m", None, (), (), (N, M), (action(Assign(N, (), number(1), 1), guards=(one, two)),))
    steps, counters = compile_steps(model), Counters([0], [0])
    parents: dict[int, int] = {0: 0}
    new: list[int] = []
    # n=0 m=0 steps to n=1 m=0; n=0 m=1 is stopped by the bound; n=1 m=0 is refused by what is required.
    steps.expand([0b00_00, 0b01_00, 0b00_01, 0b00_00], parents, new, counters, lambda *_: None)
    assert new == [0b00_01]
    assert parents == {0: 0, 0b00_01: 0}
    assert counters == Counters([2], [2], held_back=1, cut=1)


def test_counts_survive_an_interrupt() -> None:
    model = Model("m", None, (), (), (N,), (action(Assign(N, (), number(1), 1)),))
    steps, counters = compile_steps(model), Counters([0], [0])

    def states():  # type: ignore[no-untyped-def]
        yield 0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        steps.expand(states(), {0: 0}, [], counters, lambda *_: None)
    assert counters.fired == [1]


def test_a_watch_tells_of_what_is_wanted() -> None:
    layout = Layout.of(Model("m", None, (), (), (N, ON), ()))
    at_two = equals(Read(N), number(2))
    alive = Read(N, (), 0, Read(ON))
    watches = compile_watches(
        layout,
        [
            Watch("a", at_two, True),
            Watch("a", at_two, False),
            Watch("b", equals(alive, number(1)), True),
            Watch("c", TRUE, False),
        ],
    )
    told: list[tuple[int, int, int]] = []
    watches.check([0b0_10, 0b1_01], lambda *event: told.append(event))
    assert watches.obligations[told[1][2]] == "dead:b/n"
    assert told == [(0b0_10, 0, -1), (0b0_10, 2, told[1][2]), (0b1_01, 1, -1), (0b1_01, 2, -1)]
