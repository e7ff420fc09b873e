"""Annotations for GitHub Actions: a line on standard output that marks a line of the model in a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from fencepost.check import Check
from fencepost.report import ATTENTION, about, in_one_line, property_of, title


def annotate(check: Check, default: str) -> Iterator[str]:
    """A line for each decision that needs attention: a violation at the action that the run ends with."""
    for decision in check.decisions:
        if decision.verdict in ATTENTION:
            _, at = about(check.model, decision)
            place = [] if at is None else [f"file={_property(PurePath(at.file).as_posix())}", f"line={at.line}"]
            head = ",".join([*place, f"title={_property(title(check.model, default))}"])
            told = in_one_line(decision, property_of(check.model, decision))
            yield f"::{ATTENTION[decision.verdict]} {head}::{_message(told)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
