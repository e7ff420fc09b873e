"""`verify --explain NAME`: a protocol, variant, feature, property or action in full."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from fencepost.errors import FencepostError
from fencepost.ir.model import Model
from fencepost.names import unknown
from fencepost.registry import Entry, find, names
from fencepost.report import columns
from fencepost.sources import described

Lines = Iterator[str]
Topic = tuple[str, Callable[[], Lines]]
"""A name and what explains it."""


def explain(console: Console, name: str, entry: Entry | None) -> int:
    """Print every explanation of that name, in the protocol given or in all installed ones.

    Raises:
        UsageError: nothing has that name.
    """
    topics = _everything() if entry is None else list(_topics(entry))
    found = [topic for topic in topics if topic[0] == name]
    if not found:
        raise unknown("name", name, {topic for topic, _ in topics})
    for position, (_, lines) in enumerate(found):
        if position:
            console.print()
        for line in lines():
            console.print(Text(line), soft_wrap=True, highlight=False)
    return 0


def _everything() -> list[Topic]:
    """The topics of every installed protocol that is sound."""
    found: list[Topic] = []
    for name in names():
        try:
            found += _topics(find(name))
        except FencepostError:
            continue  # --list says what is wrong with it
    return found


def _topics(entry: Entry) -> Iterator[Topic]:
    """Every name that can be explained, with what explains it."""
    protocol = entry.protocol
    yield entry.name, lambda: _protocol(entry)
    for variant in protocol.variants:
        yield variant.name, lambda variant=variant: _variant(entry, variant.name)  # type: ignore[misc]
    for feature in protocol.features:
        yield (
            feature.name,
            lambda feature=feature: iter(  # type: ignore[misc]
                [
                    f"{feature.name}: a feature of {entry.name}, {'on' if feature.default else 'off'} by default",
                    feature.help,
                ]
            ),
        )
    for family in entry.properties:
        for definition in family:
            yield definition.name, lambda definition=definition: _property(entry, definition.name)  # type: ignore[misc]
    for action in _whole(entry).actions:
        yield action.name, lambda action=action: _action(entry, action.name)  # type: ignore[misc]


def _whole(entry: Entry, variant: str | None = None) -> Model:
    """The model with every feature, and at the protocol's sizes whatever the variant's own are."""
    sizes = {size.name: size.default for size in entry.protocol.sizes}
    features = [feature.name for feature in entry.protocol.features]
    return entry.build(variant=variant, sizes=sizes, features=features)


def _protocol(entry: Entry) -> Lines:
    model = _whole(entry)
    yield f"{entry.name}: a protocol ({entry.source})"
    yield from inspect.cleandoc(entry.protocol.doc).splitlines()
    yield ""
    yield f"At its default sizes, with every feature: {model.bits} bits. See also verify --list."
    for first, second in columns([[action.name, f"{action.actor.name}; {action.src}"] for action in model.actions]):
        yield f"  {first}  {second.rstrip()}"


def _variant(entry: Entry, name: str) -> Lines:
    variant = entry.protocol.variant(name)
    yield f"{name}: a variant of {entry.name}"
    yield variant.help
    if variant.breaks is not None:
        yield f"It breaks {variant.breaks}."
    if variant.source:
        yield f"Source: {variant.source}"
    for first, second in columns(_changes(_whole(entry), _whole(entry, name))):
        yield f"  {first}  {second.rstrip()}"


def _changes(was: Model, now: Model) -> list[list[str]]:
    """The actions that a variant adds, takes away or changes; a table with at least one row."""
    before = {action.name: action for action in was.actions}
    after = {action.name: action for action in now.actions}
    rows = []
    for name in sorted(before.keys() | after.keys()):
        if name not in after or name not in before:
            rows.append([name, "is gone" if name in before else "is new"])
        elif before[name] != after[name]:
            lost = [g.name for g in before[name].guards if g.name not in [h.name for h in after[name].guards]]
            gained = [g.name for g in after[name].guards if g.name not in [h.name for h in before[name].guards]]
            parts = [f"without the guard {guard!r}" for guard in lost] + [
                f"with the guard {guard!r}" for guard in gained
            ]
            rows.append([name, ", ".join(parts) or "does otherwise"])
    return rows or [["no action", "differs at these sizes"]]


def _property(entry: Entry, name: str) -> Lines:
    definition = next(d for family in entry.properties for d in family if d.name == name)
    broken_by = [variant.name for variant in entry.protocol.variants if variant.breaks == name]
    yield f"{name}: a property of {entry.name} ({definition.kind.value})"
    yield definition.statement
    yield f"Protects: {definition.protects}"
    yield f"Stated at: {definition.at}"
    if definition.needs:
        yield f"Needs the features: {', '.join(definition.needs)}"
    if broken_by:
        yield f"Broken by: {', '.join(broken_by)}"


def _action(entry: Entry, name: str) -> Lines:
    action = _whole(entry).action(name)
    params = ", ".join(param.name for param in action.params)
    yield f"{name}({params}): an action of {entry.name}"
    yield " ".join(action.doc.split())
    yield f"By: {action.actor.name}; kind: {action.kind.value}; fairness: {action.fair.value}"
    yield f"Stands for: {action.src}"
    for known, by in described(action.src, entry.protocol.sources):
        yield f"  {known} is known from the {by} alone"
    for guard in action.guards:
        yield f"  {guard.kind.value} {guard.name}  (switch off with --without '{name}:{guard.name}')"
