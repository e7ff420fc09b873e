"""From a checker's counterexample to a circuit back to steps of the model, as the interpreter takes them.

Four forms are read: the witnesses of AIGER (`1`, `b0`, latches, inputs, `.`), and what ABC's
`write_cex` writes, with names (`-n`), in lines as AIGER's (`-a`), and plain. A counterexample may
pause and may go on after what it shows: what is returned does neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fencepost.aig.aiger import Design
from fencepost.errors import UsageError, shortened
from fencepost.exec.confirm import breaking_steps, broken_in, value_in
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.model import Model
from fencepost.verdict import Finding, Label

_NAMED = re.compile(r"^(?P<name>.+)@(?P<frame>[0-9]+)=(?P<value>[01])$")

MOST_FRAMES = 10_000
"""Steps of a counterexample; no checker finds one that is anywhere near as long."""


def finding_in(what: Design, text: str, name: str) -> Finding:
    """The violation of what is called `name` (in `circuit.bads`) that a counterexample shows.

    Raises:
        UsageError: the text is no counterexample, or the interpreter does not come to such a violation.
    """
    model, interpreter = what.circuit.model, Interpreter(what.circuit.model)
    state, path = interpreter.initial(), list[Label]()
    seen: State | None = None
    for number in [*choices(what, text), -1]:
        found = None if state is seen else _violation(model, state, name, path)
        if found is not None:
            return found
        seen = state
        if 0 <= number < len(what.circuit.instances):
            label = what.circuit.instances[number].label
            outcome = interpreter.fire(state, model.action(label[0]), label[1])
            if isinstance(outcome, Stepped):  # else the circuit stays where it is
                state = outcome.state
                path.append(label)
    raise UsageError(f"the counterexample does not lead to a violation of {name}")


def _violation(model: Model, state: State, name: str, path: list[Label]) -> Finding | None:
    """What is violated in a state, or by a step from it, if it is called so."""
    for prop in model.properties:
        if prop.name == name:
            return Finding(name, tuple(path)) if value_in(model, state, prop.holds, name) is False else None
    if any(name in names for names in broken_in(model, state).values()):
        return Finding(name, tuple(path), in_state=True)
    steps = breaking_steps(model, state)
    return Finding(name, (*path, steps[name])) if name in steps else None


def choices(what: Design, text: str) -> list[int]:
    """For each step of a counterexample, the number of the instance that is to take it.

    Raises:
        UsageError: the text is no counterexample of the design.
    """
    lines = [line.strip() for line in text.splitlines()]
    lines = [line.partition("#")[0].strip() for line in lines]
    named = [found for line in lines if (found := _NAMED.match(line))]
    if named:
        return list(_named(what, named))
    rows = [line for line in lines if line and not line.startswith((".", "b", "u", "c"))]
    if rows and rows[0] in {"1", "0", "2"} and len(what.latches) != 1:
        if rows[0] != "1":
            raise UsageError("the witness says that there is no counterexample")
        rows = rows[1:]
    bits = "".join(rows)
    width, start = len(what.inputs), len(what.latches)
    if set(bits) - set("01x") or len(bits) < start or (width and (len(bits) - start) % width):
        raise UsageError(f"no counterexample of a circuit with {start} latches and {width} inputs")
    if len(bits) - start > MOST_FRAMES * (width or 1):
        raise _too_long(f"{(len(bits) - start) // (width or 1):,}")
    frames = [bits[at : at + width] for at in range(start, len(bits), width or 1)]
    return [_number(what, [int(bit == "1") for bit in frame]) for frame in frames]


def _too_long(step: str) -> UsageError:
    return UsageError(f"it goes on to step {step}; no counterexample has more than {MOST_FRAMES:,} of them")


def _number(what: Design, values: list[int]) -> int:
    return sum(value << place for place, value in zip(what.inputs, values, strict=True))


def _named(what: Design, found: list[re.Match[str]]) -> Iterator[int]:
    last = max((match["frame"].lstrip("0") for match in found), key=lambda digits: (len(digits), digits))
    if len(last) > len(str(MOST_FRAMES)) or int(last or "0") >= MOST_FRAMES:
        raise _too_long(shortened(last, 20))
    known = {(match["name"], int(match["frame"])): int(match["value"]) for match in found}
    for frame in range(max(frame for _, frame in known) + 1):
        yield _number(what, [known.get((f"step.{place}", frame), 0) for place in what.inputs])
