"""The table of model versus code: what of it is generated, and what a person writes.

`python -m tests.docs.actions NAME` prints the rows of a protocol that the page has not got yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from attrs import frozen

from fencepost.lang.definitions import ActionDefinition
from fencepost.lang.protocol import Protocol
from fencepost.registry import find
from fencepost.sources import Source, marked
from tests.docs.page import DOCS

PAGE = DOCS / "model-versus-code.md"
SHARED = "hardware"
HEAD = "| action | by | stands for | left out | one step, and what makes it right |"


@frozen
class Row:
    """A row: the first three cells are the model's, the last two a person's."""

    action: str
    actor: str
    src: str
    left_out: str = ""
    step: str = ""

    @classmethod
    def of(cls, action: ActionDefinition, sources: Iterable[Source] = ()) -> Row:
        return cls(f"`{action.name}`", action.actor.name, _cell(marked(action.src, sources)))

    @property
    def generated(self) -> tuple[str, str, str]:
        """What has to be as the model says."""
        return (self.action, self.actor, self.src)

    def __str__(self) -> str:
        return f"| {self.action} | {self.actor} | {self.src} | {self.left_out} | {self.step} |"


def rows_of(name: str) -> list[Row]:
    """The rows that a protocol's actions should have."""
    protocol = find(name).protocol
    return [Row.of(action, protocol.sources) for action in protocol.actions]


def written(page: str) -> dict[str, list[Row]]:
    """The rows of each section of the page."""
    sections: dict[str, list[Row]] = {}
    for section in page.split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        sections[title] = list(_rows(text))
    return sections


def lacking(name: str, page: str) -> list[Row]:
    """The rows of a protocol's actions that the page lacks: in its section, its bases' and the shared one."""
    sections = written(page)
    there = {row.generated for section in (SHARED, *_lineage(name)) for row in sections.get(section, ())}
    return [row for row in rows_of(name) if row.generated not in there]


def _lineage(name: str) -> Iterator[str]:
    """The protocol, and what it is composed from."""
    protocol: Protocol | None = find(name).protocol
    while protocol is not None:
        yield protocol.name
        protocol = protocol.base


def _rows(text: str) -> Iterator[Row]:
    lines = iter(text.splitlines())
    for line in lines:
        if line == HEAD:
            next(lines)
            for row in lines:
                if not row.startswith("|"):
                    break
                yield Row(*(cell.strip() for cell in row.strip("|").split("|")))


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")


if __name__ == "__main__":
    print(*lacking(sys.argv[1], PAGE.read_text("utf-8")), sep="\n")
