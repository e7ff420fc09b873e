"""A counterexample of a rumur verifier, read back as steps of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fencepost.errors import UsageError, shortened
from fencepost.export.murphi import enum_values
from fencepost.ir.model import Action, Model
from fencepost.verdict import Label, Path

_BEGINS = "The following is the error trace for the error:"
_ENDS = "End of the error trace."
_RULE = re.compile(r'^Rule "(?P<name>[^"]+)"(?P<args>(?:, \w+: [^,\s]+)*) fired\.$')
_ASSERTED = re.compile(r"^Assertion failed: \S+?:\d+\.\d+(?:-\d+(?:\.\d+)?)?: (?P<name>.*)$")
_INVARIANT = re.compile(r'^invariant "(?P<name>.*)" failed$')


def read(text: str, model: Model) -> Path:
    """The steps of the first counterexample in the verifier's output.

    Raises:
        UsageError: there is none, or it is not of this model.
    """
    lines = text.splitlines()
    if not any(line.strip() == _BEGINS for line in lines):
        raise UsageError("there is no counterexample in it; give the output of a verifier that rumur made")
    members = enum_values(model)
    if not any(line.strip() == _ENDS for line in lines):
        raise UsageError("its counterexample is cut off; give the whole output of the verifier")
    return tuple(_steps(lines, model, members))


def broken(text: str) -> str:
    """What the first counterexample in the output breaks: a property, or an obligation; empty if there is none."""
    lines = [line.strip() for line in text.splitlines()]
    if _BEGINS not in lines:
        return ""
    message = next((line for line in lines[lines.index(_BEGINS) + 1 :] if line), "")
    found = _ASSERTED.match(message) or _INVARIANT.match(message)
    return found["name"] if found else message


def _steps(lines: list[str], model: Model, members: dict[str, int]) -> Iterator[Label]:
    for line in lines:
        if line.strip() == _ENDS:
            return
        if (found := _RULE.match(line.strip())) is not None:
            values = re.findall(r", \w+: ([^,\s]+)", found["args"])
            yield _label(_action(model, found["name"]), values, members)


def _action(model: Model, name: str) -> Action:
    try:
        return model.action(name)
    except KeyError:
        raise UsageError(f"{model.protocol} has no action {shortened(name)!r}; the trace is of another model") from None


def _label(action: Action, values: list[str], members: dict[str, int]) -> Label:
    known = {"false": 0, "true": 1, **members}
    if len(values) != len(action.params):
        raise UsageError(f"{action.name} takes {len(action.params)} arguments; the trace is of another model")
    try:
        return action.name, tuple(known[value] if value in known else int(value) for value in values)
    except ValueError:
        mend = (
            "; a run under symmetry is none of the model: give rumur --symmetry-reduction off" if _alike(values) else ""
        )
        raise UsageError(f"{shortened(', '.join(values))} are no arguments of {action.name}{mend}") from None


def _alike(values: list[str]) -> bool:
    """Whether some index is one of those that rumur took for alike, such as `Queue_1`."""
    return any(re.fullmatch(r"[A-Za-z]\w*_\d+", value) for value in values)
