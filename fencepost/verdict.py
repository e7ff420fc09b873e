"""What an engine returns, and the fixed vocabulary of verdicts made from it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath

from attrs import field, frozen

Label = tuple[str, tuple[int, ...]]
"""One step: the action's name and its arguments."""

Path = tuple[Label, ...]
"""A run from the initial state."""


class Verdict(enum.Enum):
    """The only words a report uses for a result."""

    PROVED = "PROVED"
    EXHAUSTED = "EXHAUSTED"
    NO_VIOLATION = "NO VIOLATION TO DEPTH"
    VIOLATED = "VIOLATED"
    INCONCLUSIVE = "INCONCLUSIVE"
    VACUOUS = "VACUOUS"


class Stop(enum.Enum):
    """Why an engine ended."""

    EXHAUSTED = "exhausted"
    DEPTH = "depth"
    DECIDED = "decided"
    """Every property asked for is violated, or proved; nothing is left to look for."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"
    SAMPLED = "sampled"
    """Every run that was to be drawn by chance was drawn; others may do otherwise."""
    CANCELLED = "cancelled"
    """Others had answered all that was asked."""
    FAILED = "failed"
    """A program that the engine asks did not do what it is for; `Run.reason` says what it did."""
    MISSING = "missing"
    """The engine could not run at all; `Run.reason` says why."""


@frozen
class Finding:
    """A shortest (or, for a walk, a shrunk) run to a violation.

    `name` is a property's, or `range:<where>` / `dead:<where>` for a broken obligation: then the
    last step of `path` is the one that breaks it (a guard's obligation too), or, where `in_state` is
    set, an obligation of a property broke in the state that `path` leads to.

    The violation of a response is a run without an end: `path` and then for ever the steps behind
    the state number `loop` (0 for the initial one). It is the state that the last step leads to as
    well; if it is that of the last step itself, nothing more happens.
    """

    name: str
    path: Path
    in_state: bool = False
    loop: int | None = None


@frozen
class ActionCount:
    """Over all states looked at: in how many an instance was enabled, and how many steps were taken."""

    enabled: int
    fired: int


OBLIGATIONS = "obligations"
"""What stands for every range, index and live field of a model, in reports, in proofs and in exports."""


def is_obligation(name: str) -> bool:
    """Whether what is violated is an obligation, and no property."""
    return name.startswith(("range:", "dead:"))


NO_LOOPS = "does not look for runs without an end, which explore and bmc do"
"""Why a run says nothing of responses."""


@frozen
class Proof:
    """Why something holds in every reachable state: an invariant, a clause a line, in the words of the model.

    `proves` are properties' names, and perhaps `OBLIGATIONS`. `bounds` are the actions that a bound of
    the model may keep from being taken in states that the invariant allows: it is a proof within these
    bounds alone. `tool` is what found it.
    """

    proves: tuple[str, ...]
    invariant: tuple[str, ...]
    bounds: tuple[str, ...]
    tool: str
    version: str
    argument: str
    """What sort of proof it is, such as `an invariant of 95 clauses`."""

    def covers(self, name: str) -> bool:
        """Whether a property or an obligation of that name is proved."""
        return (OBLIGATIONS if is_obligation(name) else name) in self.proves


@frozen
class Gap:
    """Why something does not follow by induction: from `state` on, `path` leads to where it fails.

    Up to there it holds, and so do the lemmas; but no run need come to that state.
    """

    name: str
    state: tuple[tuple[int, ...], ...]
    path: Path
    lemma: bool = False


@frozen
class Run:
    """What one engine did with one model.

    `depth` is the bound: no run of at most `depth` steps was left out (for a walk, 0).
    `bounds` gives a property its own bound where it differs (bounded model checking; how many steps
    no shorter counterexample of a violated response has). `partial` names the responses of which the
    run says nothing, with why. `unended` names the responses of which some run waits for ever in what
    the model's bounds cut off, where they are not violated. `unmet` names those whose goal holds in no
    state that the run looked at.
    `twins` maps a property to the depth at which its twin was reached: the least one where the run
    left out no run that is shorter. `twins_given_up` names the properties of which the run does not
    know whether their twins are reached as deep as it looked. `held_back` counts the states in which a
    bound alone kept a step from being taken, `cut` those of them in which no other step could be. None
    is not counted. `symmetry` names the sorts whose indices were taken for alike: then what is counted as
    states are orbits, of states that differ by names of such indices alone.
    """

    engine: str
    stop: Stop
    depth: int
    findings: tuple[Finding, ...] = ()
    twins: Mapping[str, int] = field(factory=dict)
    twin_paths: Mapping[str, Path] = field(factory=dict)
    twins_given_up: frozenset[str] = frozenset()
    bounds: Mapping[str, int] = field(factory=dict)
    partial: Mapping[str, str] = field(factory=dict)
    unended: frozenset[str] = frozenset()
    unmet: frozenset[str] = frozenset()
    states: int | None = None
    transitions: int | None = None
    held_back: int | None = None
    cut: int | None = None
    actions: Mapping[str, ActionCount] = field(factory=dict)
    symmetry: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    """Of a search level by level: how many states it found at each depth, as far as it knows them all."""
    seconds: float = 0.0
    reason: str = ""
    proof: Proof | None = None
    """What was proved of it, whatever the depth."""
    gaps: tuple[Gap, ...] = ()
    """What a proof by induction came to nothing for, and where."""

    @property
    def names(self) -> frozenset[str]:
        """What is violated."""
        return frozenset(found.name for found in self.findings)

    @property
    def complete(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.stop is Stop.EXHAUSTED


@frozen
class Manner:
    """How a search goes about it, whatever it finds: with how many threads (one a core if None), kept in which file.

    With `resume` it begins with what the file holds. With `symmetry` it counts orbits, of what the model declares
    symmetric, in place of states.
    """

    threads: int | None = None
    checkpoint: FilePath | None = None
    resume: bool = False
    symmetry: bool = False


@frozen
class ProgressEvent:
    """Where a running engine is. `memory` is the process's resident size in bytes.

    `expected` is about how many states there are in all, once that can be told.
    """

    engine: str
    depth: int
    states: int
    frontier: int
    seconds: float
    memory: int
    expected: int | None = None


Progress = Callable[[ProgressEvent], None]
"""Called now and then by a running engine; must not raise."""
