"""Whether other sizes change a verdict: each size one larger and one smaller than chosen, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from fencepost.check import Check, check
from fencepost.engines import Limits
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.registry import Entry
from fencepost.report import columns, title
from fencepost.verdict import Run, Verdict

HOLDS = (Verdict.EXHAUSTED, Verdict.PROVED, Verdict.NO_VIOLATION)
"""Verdicts that differ only in how far they were looked for."""


@frozen
class Change:
    """A property that comes out otherwise than at the sizes chosen."""

    name: str
    chosen: Verdict
    here: Verdict


@frozen
class Neighbour:
    """One size as it was not chosen. Where `found` is nothing, `refused` says why there was no search."""

    size: str
    value: int
    found: Check | None = None
    changes: tuple[Change, ...] = ()
    refused: str = ""

    @property
    def violates(self) -> bool:
        """Whether a property is violated here that is not at the sizes chosen."""
        return any(change.here is Verdict.VIOLATED for change in self.changes)


def sweep(entry: Entry, model: Model, limits: Limits) -> Iterator[Check | Neighbour]:
    """What comes out at the model's own sizes, and then each neighbour, in the order of the sizes.

    The limits are those of each search.

    Raises:
        InternalError: the interpreter does not reproduce a finding.
    """
    chosen = check(model, "explore", limits)
    yield chosen
    for size, value in model.sizes:
        for other in (value - 1, value + 1):
            yield _neighbour(entry, chosen, size, other, limits)


def _neighbour(entry: Entry, chosen: Check, size: str, value: int, limits: Limits) -> Neighbour:
    model = chosen.model
    try:
        other = entry.build(
            variant=model.variant,
            sizes={**dict(model.sizes), size: value},
            features=model.features,
            without=model.without,
        )
    except UsageError as error:
        return Neighbour(size, value, refused=str(error))
    found = check(other, "explore", limits)
    return Neighbour(size, value, found, tuple(_changes(chosen, found)))


def _changes(chosen: Check, here: Check) -> Iterator[Change]:
    """An obligation that broke stands for all of them: without one there is a line for them together."""
    verdicts = {decision.name: decision.verdict for decision in here.decisions}
    for decision in chosen.decisions:
        now = verdicts.pop(decision.name, None)
        if now is not None and _told_apart(decision.verdict, now):
            yield Change(decision.name, decision.verdict, now)
    known = {decision.name for decision in chosen.decisions}
    for name, verdict in verdicts.items():
        if name not in known and verdict is Verdict.VIOLATED:
            yield Change(name, Verdict.EXHAUSTED, verdict)


def _told_apart(one: Verdict, other: Verdict) -> bool:
    return one is not other and not (one in HOLDS and other in HOLDS)


def render(found: Sequence[Check | Neighbour], default: str) -> Iterator[str]:
    """As text: a row for each neighbour, and below what it comes to."""
    chosen = next(each for each in found if isinstance(each, Check))
    neighbours = [each for each in found if isinstance(each, Neighbour)]
    yield f"{title(chosen.model, default)}: each size one smaller and one larger, one at a time"
    yield ""
    rows = [["", "", "states", "depth", ""], ["as chosen", "", *_far(chosen.runs[0]), _verdicts(chosen)]]
    for each in neighbours:
        told = ("", "") if each.found is None else _far(each.found.runs[0])
        rows.append([each.size, str(each.value), *told, _told(each)])
    yield from (" ".join(cells).rstrip() for cells in columns(rows, right=(1, 2, 3)))
    yield ""
    yield outcome(found)[1]


def _far(run: Run) -> tuple[str, str]:
    states = "" if run.states is None else f"{run.states:,}"
    return states, str(run.depth) if run.complete else f"to {run.depth}"


def _verdicts(found: Check) -> str:
    counts: dict[str, int] = {}
    for decision in found.decisions:
        counts[decision.verdict.value] = counts.get(decision.verdict.value, 0) + 1
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items())


def _told(neighbour: Neighbour) -> str:
    if neighbour.refused:
        return f"not a choice: {neighbour.refused}"
    changes = [f"{change.name} {change.here.value}, not {change.chosen.value}" for change in neighbour.changes]
    return "; ".join(changes) or "as chosen"


def outcome(found: Sequence[Check | Neighbour]) -> tuple[int, str]:
    """The exit code and a sentence: 1 if another size shows a violation that the chosen ones do not, 3 if left open."""
    neighbours = [each for each in found if isinstance(each, Neighbour)]
    looked = [each.found for each in neighbours if each.found is not None]
    chosen = [each for each in found if isinstance(each, Check)]
    if any(each.violates for each in neighbours):
        return 1, "Other sizes show a violation that the chosen ones do not."
    if any(each.is_open for each in (*chosen, *looked)):
        return 3, "Not every search came far enough to tell."
    if not looked:
        return 0, "There is no other choice of one size alone."
    short = sum(not each.runs[0].complete for each in looked)
    far = f"; {short} of {len(looked)} searches did not end, and tell of their depth alone" if short else ""
    return 0, f"No other size shows a violation that the chosen ones do not{far}."
