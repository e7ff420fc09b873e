"""What is pinned of mutation, as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from fencepost.mutate.pinned import Pinned
from fencepost.mutate.score import percent

HEAD = """\
# Mutation scores

Made by `verify mutate --markdown` from what is pinned; [cli.md](cli.md#verify-mutate) says how to run it, \
[ADR {adr}](adr/{file}) what the operators are and when a mutant counts as equivalent, and \
[trust.md](trust.md) which faults are planted in the engines themselves.

Each row is a protocol at one choice of sizes and features, small enough that its mutants take a minute or two. \
The score is the share of those that differ which something kills: a property or an obligation \
that the original keeps is violated, or (*by coverage*) a property becomes vacuous or an action never fires, which \
`verify --cover` says with exit code 4. The last column leaves coverage out. \
Where the search goes to a depth alone, a mutant that no state within it tells from the original says nothing, \
and is left out of the score. {aim}
"""
ADR = ("0025", "0025-mutants-on-the-ir.md")
AIM = 0.95
COLUMNS = (
    "protocol", "states", "mutants", "run", "killed", "by coverage", "equivalent", "not told apart", "survived",
    "score", "by properties",
)  # fmt: skip

_BEHAVIOUR = {
    "does less": "Every step is one of the original's: it refuses some. What holds in all states of the original "
    "holds in fewer; only a response, a hang or coverage can notice that something is missing.",
    "takes the same steps": "Whatever the original can do it can do as well, and nothing else, for ever: only what "
    "no step looks at is different, such as a field that is written anew before it is read. No defect can follow.",
    "comes to the same states": "It takes other steps between the states that the original comes to. Invariants speak "
    "of states, so none can notice; a response could.",
    "comes to other states": "It comes to states that the original does not come to, and no property says that they "
    "are wrong. These are the ones to read.",
    "timed out": "It was not looked at to its end.",
}


def page(pins: Sequence[Pinned]) -> str:
    """The page: the table, then the survivors of each protocol."""
    return "\n".join([HEAD.format(adr=ADR[0], file=ADR[1], aim=_aim(pins)), *_table(pins), "", *_survivors(pins)])


def _aim(pins: Sequence[Pinned]) -> str:
    there = [pin.protocol for pin in pins if pin.tally.score is not None and pin.tally.score >= AIM]
    return f"The aim is {percent(AIM)}; {len(there)} of {len(pins)} protocols are there."


def _table(pins: Sequence[Pinned]) -> Iterator[str]:
    yield _row(COLUMNS)
    yield _row(["---", *("--:" for _ in COLUMNS[1:])])
    for pin in pins:
        tally = pin.tally
        numbers = (pin.states, pin.mutants, tally.all, tally.killed, tally.coverage, tally.equivalent, tally.untold)
        left = tally.survived + tally.timed_out
        cells = [f"{number:,}" for number in (*numbers, left)]
        yield _row([pin.protocol, *cells, percent(tally.score), percent(tally.by_properties)])


def _survivors(pins: Sequence[Pinned]) -> Iterator[str]:
    yield "## What survived, and why"
    yield ""
    yield "By what a survivor does:"
    yield ""
    yield from (f"- *{name}*: {why}" for name, why in _BEHAVIOUR.items())
    for pin in pins:
        yield ""
        yield f"### {pin.protocol}"
        yield ""
        yield _setting(pin)
        if pin.why:
            yield ""
            yield pin.why
        for behaviour in _BEHAVIOUR:
            mine = sorted((one.action, one.mutation) for one in pin.survivors if one.behaviour == behaviour)
            if mine:
                yield ""
                yield f"*{behaviour}* ({len(mine)}):"
                yield ""
                for action, group in groupby(mine, key=lambda one: one[0]):
                    yield f"- `{action}`: {'; '.join(_shortened(mutation) for _, mutation in group)}"
    yield ""


_LONGEST = 110
_CODE = re.compile(r"`([^`]*)`")


def _shortened(text: str) -> str:
    """With conditions that are too long cut off; `mutation.toml` has all of them."""

    def cut(found: re.Match[str]) -> str:
        code = found[1]
        return f"`{code}`" if len(code) <= _LONGEST else f"`{code[:_LONGEST].rstrip()} ...`"

    return _CODE.sub(cut, text)


def _setting(pin: Pinned) -> str:
    sizes = " ".join(f"{name}={count}" for name, count in pin.sizes.items()) or "no sizes"
    features = ", ".join(pin.features) or "none"
    parts = [f"{sizes}; features: {features}"]
    if pin.depth is not None:
        parts.append(f"to depth {pin.depth}")
    if pin.sample is not None and pin.tally.all < pin.mutants:
        parts.append(f"{pin.tally.all} of {pin.mutants} mutants, chosen by a digest")
    if pin.violated:
        parts.append(f"not asked, since it is violated as it is: {', '.join(pin.violated)}")
    return "; ".join(parts) + "."


def _row(parts: Sequence[str]) -> str:
    return f"| {' | '.join(part.replace('|', chr(92) + '|') for part in parts)} |"
