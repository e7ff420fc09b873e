"""Generated Python for a model: its steps, its properties, and the inner loop of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from attrs import evolve, field, frozen, mutable

from fencepost.exec.emit_block import BREACH, Sink, emit_block
from fencepost.exec.emit_expr import BREAK
from fencepost.exec.layout import Layout
from fencepost.exec.low import Local
from fencepost.exec.low_code import Attempt, Block, Stopped, When
from fencepost.exec.low_walk import parts
from fencepost.exec.lower_model import Instance, Watch, instances, lower_actions, lower_watches
from fencepost.exec.orbit_python import Canonical, compile_canonical
from fencepost.exec.orbits import Orbits, orbits
from fencepost.exec.share import share
from fencepost.exec.sinks import CANONICAL, ExpandSink, MarkSink, SuccessorsSink, SurveySink, WatchSink
from fencepost.exec.unpack import Table, Unpacking, unpack
from fencepost.ir.model import Model

Successors: TypeAlias = Callable[[int], tuple[list[tuple[int, int]], list[tuple[int, int]]]]
"""From a packed state: (instance, next state) of each step, and (instance, obligation) of each broken one."""

Survey: TypeAlias = Callable[[int], tuple[list[tuple[int, int]], list[tuple[int, int]], list[int]]]
"""As `Successors`, and the instances that a bound alone stops."""

Report: TypeAlias = Callable[[int, int, int], None]
"""Called with (state, number, obligation), or (state, number, -1) for a watch that hit."""

Expand: TypeAlias = Callable[[Iterable[int], dict[int, int], list[int], "Counters", Report], None]
"""`expand(states, parents, new, counters, report)`: take every step of every state.

A state not yet in `parents` gets its parent there and is appended to `new`. The counters are
brought up to date even if an exception (an interrupt, say) ends the call early.
"""


class Check(Protocol):
    """Reports every watch that hits, or breaks an obligation, in each state."""

    def __call__(self, states: Iterable[int], report: Report, active: Sequence[bool] = ...) -> None:
        """Look at the states in order; `active` says which watches to look at (all of them by default)."""


@mutable
class Counters:
    """What `expand` counts.

    For each action, the steps taken and the states with an instance enabled. `held_back` counts the
    states in which a bound alone stops an instance, `cut` those of them in which none is enabled.
    """

    fired: list[int]
    enabled: list[int]
    held_back: int = 0
    cut: int = 0


class Breach(Exception):
    """A broken obligation inside generated code; its argument is the obligation's number."""


def _raise(obligation: int) -> int:
    raise Breach(obligation)


@frozen
class Steps:
    """The generated steps of a model; each function is written and compiled when first asked for."""

    layout: Layout
    instances: tuple[Instance, ...]
    obligations: tuple[str, ...]
    """Names of the obligations, by the number that generated code gives."""
    unpacking: Unpacking = field(repr=False)
    actions: int
    orbits: Orbits | None = None
    """With it, `expand` keeps of each orbit of states the one that stands for it."""

    @cached_property
    def canonical(self) -> Canonical:
        """From a state to the one that stands for its orbit: without symmetry, itself."""
        return int if self.orbits is None else compile_canonical(self.orbits)

    @cached_property
    def successors(self) -> Successors:
        """Every step of one state."""
        function: Successors = _compile("successors", self.successors_source, self.unpacking.tables)
        return function

    @cached_property
    def expand(self) -> Expand:
        """Every step of many states, counted, the new ones kept."""
        names = {CANONICAL: self.canonical}
        function: Expand = _compile("expand", self.expand_source, {**self.unpacking.tables, **names})
        return function

    @cached_property
    def survey(self) -> Survey:
        """Every step of one state, and whatever else it might have done."""
        text = _text(
            "def survey(s):",
            " out = []",
            " bad = []",
            " held = []",
            *_body(self.unpacking, SurveySink(), " "),
            " return out, bad, held",
        )
        function: Survey = _compile("survey", text, self.unpacking.tables)
        return function

    @property
    def successors_source(self) -> str:
        """Python source of `successors`."""
        body = _body(self.unpacking, SuccessorsSink(), " ")
        return _text("def successors(s):", " out = []", " bad = []", *body, " return out, bad")

    @property
    def expand_source(self) -> str:
        """Python source of `expand`."""
        bounded = _has_stops(self.unpacking.block)
        owner = [instance.number_of_action for instance in self.instances]
        every = range(self.actions)
        return _text(
            "def expand(states, parents, new, counters, report):",
            f" {' = '.join(['held', 'cut', *(f'n{i} = m{i} = e{i}' for i in every)])} = 0",
            " append = new.append",
            " try:",
            "  for s in states:",
            *(["   stop = some = 0"] if bounded else []),
            *_body(self.unpacking, ExpandSink(owner, bounded, self.orbits is not None), "   "),
            *(["   if stop:", "    held += 1", "    if not some:", "     cut += 1"] if bounded else []),
            " finally:",
            "  counters.held_back += held",
            "  counters.cut += cut",
            *(f"  counters.fired[{i}] += n{i}" for i in every),
            *(f"  counters.enabled[{i}] += m{i}" for i in every),
        )


def compile_steps(model: Model, layout: Layout | None = None, symmetry: bool = False) -> Steps:
    """Lower a model's actions, ready to be compiled; states are packed by `layout`, or densely.

    Under symmetry the layout is that of the compiled search, for both are to choose the same state of an orbit.
    """
    renamed = orbits(model, Layout.in_words(model)) if symmetry else None
    layout = layout or (Layout.of(model) if renamed is None else renamed.layout)
    program = lower_actions(layout, model)
    every = tuple(instances(model))
    return Steps(layout, every, program.obligations, _unpacked(program.block), len(model.actions), renamed)


@frozen
class Watches:
    """Generated checks of properties and twins."""

    obligations: tuple[str, ...]
    risky: frozenset[int]
    """The watches that may break an obligation."""
    check: Check
    source: str = field(repr=False)


def compile_watches(layout: Layout, watches: Sequence[Watch]) -> Watches:
    """Generate and compile the checks of some conditions."""
    program = lower_watches(layout, watches)
    active = [Local(f"a{number}", 0, 1) for number in range(len(watches))]
    block = tuple(When(flag, (code,)) for flag, code in zip(active, program.block, strict=True))
    unpacking = _unpacked(block)
    source = _text(
        f"def check(states, report, active={[True] * len(watches)}):",
        f" [{', '.join(flag.name for flag in active)}] = active",
        " for s in states:",
        *_body(unpacking, WatchSink(), "  "),
    )
    risky = frozenset(item for code in program.block if isinstance(code, Attempt) for item in code.items)
    return Watches(program.obligations, risky, _compile("check", source, unpacking.tables), source)


Marks: TypeAlias = Callable[[Iterable[int], list[int], Report], None]
"""`mark(states, marks, report)`: append to `marks`, for each state, a number with a bit for each watch that hits.

`report(at, number, obligation)` is called for a watch that breaks an obligation in the state of the mark `at`.
"""


def compile_marks(layout: Layout, watches: Sequence[Watch]) -> tuple[Marks, tuple[str, ...]]:
    """Generate and compile the marking of states with some conditions; and the names of obligations."""
    program = lower_watches(layout, watches)
    unpacking = _unpacked(program.block)
    source = _text(
        "def mark(states, marks, report):",
        " append = marks.append",
        " for s in states:",
        "  m = 0",
        *_body(unpacking, MarkSink(), "  "),
        "  append(m)",
    )
    function: Marks = _compile("mark", source, unpacking.tables)
    return function, program.obligations


def _unpacked(block: Block) -> Unpacking:
    """The block with its fields and then its common parts named."""
    unpacking = unpack(block)
    return evolve(unpacking, block=share(unpacking.block))


def _body(unpacking: Unpacking, sink: Sink, indent: str) -> list[str]:
    return [*(f"{indent}{line}" for line in unpacking.lines), *emit_block(unpacking.block, sink, indent)]


def _text(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _has_stops(block: Block) -> bool:
    return any(isinstance(code, Stopped) or any(map(_has_stops, parts(code)[1])) for code in block)


def _compile(name: str, source: str, tables: Mapping[str, Table | Canonical]) -> Any:
    """The function of that name that the source defines."""
    space: dict[str, Any] = {BREACH: Breach, BREAK: _raise, **tables}
    exec(compile(source, f"<generated {name}>", "exec"), space)  # noqa: S102 - the source is ours, written from the IR
    return space[name]
