"""A counterexample of SPIN, as the replay of its trail prints it, read back as steps of the model."""

from __future__ import annotations

import re

from fencepost.errors import UsageError, shortened
from fencepost.ir.model import Model
from fencepost.verdict import Label, Path

_NUMBER = re.compile(r"-?\d{1,18}")
_STEP = re.compile(r"^\s*step (?P<name>\w+)\((?P<args>[^)]*)\)\s*$")
_BROKEN = re.compile(r"^\s*broken (?P<name>.*?)\s*$")


def read(text: str, model: Model) -> Path:
    """The steps that the replay of a trail (`spin -t FILE.pml`) printed.

    Raises:
        UsageError: there are none, or they are not of this model.
    """
    found = [match for line in text.splitlines() if (match := _STEP.match(line)) is not None]
    if not found and not broken(text):
        raise UsageError("there is no step in it; give what `spin -t FILE.pml` prints")
    return tuple(_label(match["name"], match["args"], model) for match in found)


def broken(text: str) -> str:
    """What the run breaks: a property, or an obligation; empty if it does not say."""
    found = [match["name"] for line in text.splitlines() if (match := _BROKEN.match(line)) is not None]
    return found[0] if found else ""  # behind a failed assertion a replay goes on


def _label(name: str, args: str, model: Model) -> Label:
    shown = shortened(f"{name}({args})")
    written = [part.partition("=")[2] for part in args.split(", ") if part]
    if not all(_NUMBER.fullmatch(value) for value in written):
        raise UsageError(f"{shown} is no step of an exported model: its arguments are not numbers")
    values = tuple(map(int, written))
    names = [action.name for action in model.actions]
    if name not in names or len(values) != len(model.action(name).params):
        raise UsageError(f"{model.protocol} has no action {shown}; the trace is of another model")
    return name, values
