"""Taking a stored trace's steps again, on a model that may have changed: how a fix becomes a regression test."""

from __future__ import annotations

import enum

from attrs import frozen

from fencepost.errors import UsageError
from fencepost.ir.digest import digest
from fencepost.ir.model import Model
from fencepost.trace.build import STATEMENTS, Refusal, conclude, run_path
from fencepost.trace.model import Trace


class Replayed(enum.Enum):
    """What came of a replay, as a report words it."""

    REPRODUCES = "REPRODUCES"
    IMPOSSIBLE = "NO LONGER POSSIBLE"
    HARMLESS = "NO LONGER VIOLATED"
    """The model makes the run, and nothing is wrong at its end."""


@frozen
class Replay:
    """The outcome, why, and the trace as recorded anew where it reproduces."""

    outcome: Replayed
    why: str = ""
    trace: Trace | None = None

    @property
    def line(self) -> str:
        """One line, such as `NO LONGER POSSIBLE: step 3 refused by guard "unshared"`."""
        return f"{self.outcome.value}: {self.why}" if self.why else self.outcome.value


def replay(trace: Trace, model: Model, name: str = "the trace") -> Replay:
    """Take the trace's steps on `model`; `name` is the trace's file, for messages.

    Raises:
        UsageError: the trace is of another protocol or of a property that the model does not have,
            or it says that it is of this very model and is not what that does.
    """
    header = trace.header
    if header.protocol != model.protocol:
        raise UsageError(f"{name}: it is a trace of {header.protocol!r}, not of {model.protocol!r}")
    known = [prop.name for prop in model.properties]
    if header.violated not in known and header.violated.partition(":")[0] not in STATEMENTS:
        raise UsageError(
            f"{name}: {header.protocol} has no property {header.violated!r} here; it has {', '.join(known) or 'none'}"
        )
    found = _replay(trace, model)
    if header.digest == digest(model):
        _check_unchanged(trace, found, name)
    return found


def _replay(trace: Trace, model: Model) -> Replay:
    ran = run_path(model, trace.path)
    if isinstance(ran, Refusal):
        return Replay(Replayed.IMPOSSIBLE, f"step {ran.step} {ran.why}")
    violated = trace.header.violated
    if ran.broken and ran.broken != violated:
        return Replay(Replayed.IMPOSSIBLE, f"step {len(ran.steps)} breaks {ran.broken} ({ran.steps[-1].broken})")
    again = conclude(model, ran, violated, None if trace.lasso is None else trace.lasso.back)
    if isinstance(again, str):
        why = f"all {len(ran.steps)} steps can be taken, and {violated} is not violated"
        return Replay(Replayed.HARMLESS, f"{why}: {again}" if again else why)
    return Replay(Replayed.REPRODUCES, trace=again)


def _check_unchanged(trace: Trace, found: Replay, name: str) -> None:
    """A trace of this very model does what it says, or somebody has edited it.

    Notes, sources and explanations are not compared: those of the model may have been reworded.
    """
    if found.trace is None:
        raise UsageError(f"{name}: it was edited: it is of this very model, but {found.line}; record it again")
    if trace.vars != found.trace.vars:
        raise UsageError(f"{name}: it was edited: its variables or initial state are not this model's; record it again")
    pairs = zip(trace.steps, found.trace.steps, strict=True)
    for number, (told, taken) in enumerate(pairs, 1):
        if told.state != taken.state:
            raise UsageError(f"{name}: it was edited: step {number} does not lead to the state told; record it again")
