"""A counterexample to induction: steps that begin in a state which no run need reach.

It says that what is claimed to hold for ever does not follow from itself: here it holds, and after
these steps it does not. That is no violation. Either the claim is too weak, for no run comes to such
a state and it does not say so, or it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from fencepost.errors import InternalError
from fencepost.exec.interpreter import State
from fencepost.ir.model import Model
from fencepost.ir.sorts import show
from fencepost.trace.build import Refusal, header_of, run_path
from fencepost.trace.escape import line
from fencepost.trace.model import Explanation, Trace
from fencepost.trace.text import setting, step_lines, why

HEADING = "counterexample to induction: not a run from the initial state"
RUN = "a run from the initial state"


def render_induction(model: Model, start: State, path: tuple[tuple[str, tuple[int, ...]], ...], fails: str) -> str:
    """The steps from a state as lines of text, and what fails after them.

    Raises:
        InternalError: the interpreter does not take these steps from there.
    """
    trace = _trace(model, start, path, fails)
    reached = all(var.init == values for var, values in zip(model.vars, start, strict=True))
    lines = [RUN if reached else HEADING, f"  {'; '.join(setting(trace.header))}", "", *_start(model, start)]
    if path:
        lines += ["", *step_lines(trace, False)]
    return "".join(f"{line(text).rstrip()}\n" for text in [*lines, "", *why(trace.explanation)])


def _trace(model: Model, start: State, path: tuple[tuple[str, tuple[int, ...]], ...], fails: str) -> Trace:
    ran = run_path(model, path, start)
    if isinstance(ran, Refusal):
        raise InternalError(f"step {ran.step} of a counterexample to induction {ran.why}")
    variables = tuple(evolve(var, init=values) for var, values in zip(model.vars, start, strict=True))
    return Trace(header_of(model, ""), variables, ran.steps, explanation=Explanation(fails))


def _start(model: Model, start: State) -> Iterator[str]:
    """What a state has that the initial one has not."""
    other = [
        f"{var.element(at)} = {show(var.sort, value)}"
        for var, values in zip(model.vars, start, strict=True)
        for at, (value, initial) in enumerate(zip(values, var.init, strict=True))
        if value != initial
    ]
    if not other:
        yield "In the initial state"
        return
    yield "In this state (all else is as in the initial one), which no run need reach:"
    yield from (f"  {element}" for element in other)
