"""The report for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.mutate.hunt import Result
from fencepost.mutate.mutant import Mutant
from fencepost.mutate.score import Mutation, Tally, percent
from fencepost.mutate.told import difference

_COLUMNS = ("mutants", "killed", "by coverage", "equivalent", "survived", "timed out", "not told apart")


def render(found: Mutation, default: str) -> Iterator[str]:
    """The report, line by line."""
    model = found.model
    yield f"{model.protocol}, {f'variant {model.variant}' if model.variant else default}"
    sizes = " ".join(f"{name}={count}" for name, count in model.sizes)
    yield f"  sizes     {sizes or 'none'}"
    yield f"  features  {' '.join(model.features) or 'none'}"
    whole = "every state reached" if found.complete else f"to depth {found.levels}"
    yield f"  original  {found.states:,} states, {whole}"
    if found.violated:
        yield f"  not asked, since the original violates them: {', '.join(found.violated)}"
    if len(found.mutants) < found.every:
        yield f"  {len(found.mutants)} of {found.every} mutants, chosen by a digest of each"
    yield ""
    yield from table(found)
    yield ""
    yield told_score(found.tally)
    for mutant, result in found.survivors():
        yield ""
        yield from _survivor(found, mutant, result)


def table(found: Mutation) -> Iterator[str]:
    """How many of each operator had which fate."""
    rows = [["operator", *_COLUMNS]]
    rows += [[operator.value, *_cells(tally)] for operator, tally in found.by_operator()]
    rows.append(["all", *_cells(found.tally)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = row
        yield "  ".join([first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])])


def _cells(tally: Tally) -> Sequence[str]:
    numbers = (tally.all, tally.killed, tally.coverage, tally.equivalent, tally.survived, tally.timed_out, tally.untold)
    return [str(number) for number in numbers]


def told_score(tally: Tally) -> str:
    """The score in a sentence."""
    if tally.score is None:
        return "no mutant differs from the original"
    return (
        f"score {percent(tally.score)} of {tally.different} that differ, "
        f"{percent(tally.by_properties)} by properties and obligations alone"
    )


def _survivor(found: Mutation, mutant: Mutant, result: Result) -> Iterator[str]:
    change = mutant.change
    yield f"{result.fate.value}: {mutant.title}"
    looked = "all" if result.complete else f"to depth {result.depth}, some"
    kind = "" if result.kind is None else f"; it {result.kind.value}"
    yield f"  operator {change.operator.value}; looked at {looked} {result.states:,} states{kind}"
    if result.difference is None:
        return
    yield "  the step that tells it from the original:"
    yield from (f"  {line}" for line in difference(found.model, mutant, result.difference))
