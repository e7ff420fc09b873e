"""Annotations for GitHub Actions: a line on standard output that marks a line of the model in a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from fencepost.check import Check, Decision
from fencepost.errors import Location
from fencepost.ir.model import Model, Property
from fencepost.report import in_one_line, title
from fencepost.verdict import Verdict

_COMMANDS = {Verdict.VIOLATED: "error", Verdict.INCONCLUSIVE: "warning", Verdict.VACUOUS: "warning"}
"""Other verdicts need nobody's attention."""


def annotate(check: Check, default: str) -> Iterator[str]:
    """A line for each decision that needs attention: a violation at the action that the run ends with."""
    for decision in check.decisions:
        if decision.verdict in _COMMANDS:
            prop = next((prop for prop in check.model.properties if prop.name == decision.name), None)
            place = _place(_about(check.model, decision, prop))
            head = ",".join([*place, f"title={_property(title(check.model, default))}"])
            yield f"::{_COMMANDS[decision.verdict]} {head}::{_message(in_one_line(decision, prop))}"


def _about(model: Model, decision: Decision, prop: Property | None) -> Location | None:
    if decision.trace is not None and decision.trace.steps:
        return model.action(decision.trace.steps[-1].action.name).at
    return None if prop is None else prop.at


def _place(at: Location | None) -> list[str]:
    """A file outside the working directory is not in the pull request either."""
    if at is None or PurePath(at.file).is_absolute():
        return []
    return [f"file={_property(PurePath(at.file).as_posix())}", f"line={at.line}"]


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
