"""Generated Python for a model: its steps, its properties, and the inner loop of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen, mutable

from fencepost.exec.emit_block import BREACH, Sink, emit_block
from fencepost.exec.emit_expr import BREAK
from fencepost.exec.layout import Layout
from fencepost.exec.low_code import Block, Stopped
from fencepost.exec.low_walk import parts
from fencepost.exec.lower_model import Instance, Watch, instances, lower_actions, lower_watches
from fencepost.exec.share import share
from fencepost.exec.sinks import ExpandSink, SuccessorsSink, WatchSink
from fencepost.ir.model import Model

Successors: TypeAlias = Callable[[int], tuple[list[tuple[int, int]], list[tuple[int, int]]]]
"""From a packed state: (instance, next state) of each step, and (instance, obligation) of each broken one."""

Report: TypeAlias = Callable[[int, int, int], None]
"""Called with (state, number, obligation), or (state, number, -1) for a watch that hit."""

Expand: TypeAlias = Callable[[Iterable[int], dict[int, int], list[int], "Counters", Report], None]
"""`expand(states, parents, new, counters, report)`: take every step of every state.

A state not yet in `parents` gets its parent there and is appended to `new`. The counters are
brought up to date even if an exception (an interrupt, say) ends the call early.
"""

Check: TypeAlias = Callable[[Iterable[int], Report], None]
"""`check(states, report)`: report every watch that hits, or breaks an obligation, in each state."""


@mutable
class Counters:
    """What `expand` counts.

    For each action, the steps taken and the states with an instance enabled; `cut` counts the states
    in which no instance is enabled and a bound alone stops one.
    """

    fired: list[int]
    enabled: list[int]
    cut: int = 0


class Breach(Exception):
    """A broken obligation inside generated code; its argument is the obligation's number."""


def _raise(obligation: int) -> int:
    raise Breach(obligation)


@frozen
class Steps:
    """The generated steps of a model."""

    layout: Layout
    instances: tuple[Instance, ...]
    obligations: tuple[str, ...]
    """Names of the obligations, by the number that generated code gives."""
    successors: Successors
    expand: Expand
    source: str = field(repr=False)


def compile_steps(model: Model) -> Steps:
    """Generate and compile the steps of a model."""
    layout = Layout.of(model)
    program = lower_actions(layout, model)
    every = tuple(instances(model))
    numbers = {action.name: number for number, action in enumerate(model.actions)}
    owner = [numbers[instance.action.name] for instance in every]
    block = share(program.block)
    source = "\n".join(
        (
            *_function("successors", ("s",), block, SuccessorsSink(), loop=None),
            "",
            *_expand(block, owner, len(model.actions)),
            "",
        )
    )
    space = _compile(source, f"<steps of {model.protocol}>")
    return Steps(layout, every, program.obligations, space["successors"], space["expand"], source)


@frozen
class Watches:
    """Generated checks of properties and twins."""

    obligations: tuple[str, ...]
    check: Check
    source: str = field(repr=False)


def compile_watches(layout: Layout, watches: Sequence[Watch]) -> Watches:
    """Generate and compile the checks of some conditions."""
    program = lower_watches(layout, watches)
    block = share(program.block)
    source = "\n".join((*_function("check", ("states", "report"), block, WatchSink(), loop="states"), ""))
    return Watches(program.obligations, _compile(source, "<checks>")["check"], source)


def _function(name: str, params: tuple[str, ...], block: Block, sink: Sink, loop: str | None) -> list[str]:
    head = f"def {name}({', '.join(params)}):"
    if loop is None:
        return [head, " out = []", " bad = []", *emit_block(block, sink, " "), " return out, bad"]
    return [head, f" for s in {loop}:", *emit_block(block, sink, "  ")]


def _expand(block: Block, owner: Sequence[int], actions: int) -> list[str]:
    bounded = _has_stops(block)
    counters = " = ".join(["cut", *(f"n{i} = m{i}" for i in range(actions))])
    flags = " = ".join(f"e{i}" for i in range(actions))
    tail = ["  if stop and not some:", "   cut += 1"] if bounded else []
    return [
        "def expand(states, parents, new, counters, report):",
        f" {counters} = 0",
        *([f" {flags} = 0"] if actions else []),
        " append = new.append",
        " try:",
        "  for s in states:",
        *(["   stop = some = 0"] if bounded else []),
        *emit_block(block, ExpandSink(owner, bounded), "   "),
        *(f" {line}" for line in tail),
        " finally:",
        "  counters.cut += cut",
        *(f"  counters.fired[{i}] += n{i}" for i in range(actions)),
        *(f"  counters.enabled[{i}] += m{i}" for i in range(actions)),
    ]


def _has_stops(block: Block) -> bool:
    return any(isinstance(code, Stopped) or any(map(_has_stops, parts(code)[1])) for code in block)


def _compile(source: str, name: str) -> dict[str, Any]:
    space: dict[str, Any] = {BREACH: Breach, BREAK: _raise}
    exec(compile(source, name, "exec"), space)  # noqa: S102 - the source is ours, written from the IR
    return space
