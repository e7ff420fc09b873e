"""The report for a person, and as a page of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fencepost.coverage.collect import Coverage
from fencepost.errors import Location

_EPOCH = re.compile(r"@\d+")


def render(found: Coverage, default: str) -> Iterator[str]:
    """What was covered, in numbers, and then every hole with its place."""
    model = found.model
    yield f"{model.protocol}, {f'variant {model.variant}' if model.variant else default}"
    how = "every state reached" if found.complete else f"to depth {found.depth}"
    yield f"  {found.states:,} states, {how}"
    yield from (f"  {label:<12}{told}" for label, told in counts(found))
    holes = [told_hole(at, text) for at, text in found.holes()]
    if holes:
        yield ""
        yield from holes


def counts(found: Coverage) -> list[tuple[str, str]]:
    """A line each for actions, conjuncts, branches and properties."""
    required = [part for part in found.parts if part.kind.value == "require"]
    sides = [side for branch in found.branches for side in (branch.taken, branch.passed)]
    return [
        ("actions", _of(sum(action.fired > 0 for action in found.actions), len(found.actions), "fired")),
        ("conjuncts", _of(sum(part.alone for part in required), len(required), "were the only one in the way")),
        ("branches", _of(sum(sides), len(sides), "sides taken")),
        ("properties", _of(sum(prop.reached for prop in found.properties), len(found.properties), "exercised")),
    ]


def _of(some: int, every: int, what: str) -> str:
    return f"{some} of {every} {what}"


def told_hole(at: Location | None, text: str) -> str:
    """A hole in one line; the states that reads refer to are of no use to a reader of the source."""
    where = "" if at is None else f"{at}  "
    return where + _EPOCH.sub("", text)


def page(every: Sequence[Coverage]) -> str:
    """What is not covered, of several protocols, without line numbers: those move with every edit."""
    return "\n".join([_HEAD, *_section_table(every), *(line for one in every for line in _section(one))]) + "\n"


_HEAD = """\
# What never happens

Made by `verify coverage --markdown`, at the sizes at which [mutation](mutation.md) is pinned; \
[cli.md](cli.md#verify-coverage) says what counts. A conjunct that never is the only one in the way could be left \
out without a difference at these sizes: often it says in the code's words what another one implies, or what only \
more queues, threads or handles can bring about.
"""


def _section_table(every: Iterable[Coverage]) -> Iterator[str]:
    yield "| protocol | states | actions fired | conjuncts alone in the way | branch sides | properties exercised |"
    yield "| --- | --: | --: | --: | --: | --: |"
    for one in every:
        cells = [" of ".join(re.findall(r"\d+", told)[:2]) for _, told in counts(one)]
        states = f"{one.states:,}" if one.complete else f"{one.states:,} to depth {one.depth}"
        yield f"| {one.model.protocol} | {states} | {' | '.join(cells)} |"


_LONGEST = 110


def _section(one: Coverage) -> Iterator[str]:
    yield ""
    yield f"## {one.model.protocol}"
    yield ""
    holes = sorted({_shortened(_EPOCH.sub("", text)) for _, text in one.holes()})
    idle = [text.removesuffix(_NEVER) for text in holes if text.endswith(_NEVER)]
    if idle:
        yield f"Actions that never fire, most since they belong to features that are not in: {', '.join(idle)}."
        yield ""
    rest = [f"- {text}" for text in holes if not text.endswith(_NEVER)]
    yield from rest or ["Nothing else is left out."]


_NEVER = " never fires"


def _shortened(text: str) -> str:
    """With a condition that is too long cut off; the report has all of it."""
    before, tick, rest = text.partition("`")
    cond, _, after = rest.partition("`")
    if not tick or len(cond) <= _LONGEST:
        return text
    return f"{before}`{cond[:_LONGEST].rstrip()} ...`{after}"
