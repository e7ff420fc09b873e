"""Identifiers that other languages accept, made of the names of a model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import field, mutable


def plain(name: str) -> str:
    """The name with letters, digits and single `_` alone: `queues_packets_phase` for `queues[].packets[].phase`."""
    text = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "x"
    return f"n{text}" if text[0].isdigit() else text


@mutable
class Names:
    """Gives each thing an identifier of its own: never one that is taken, nor a reserved word in whatever case."""

    reserved: frozenset[str] = frozenset()
    taken: set[str] = field(factory=set)

    @classmethod
    def without(cls, reserved: Iterable[str]) -> Names:
        """None given yet."""
        return cls(frozenset(word.lower() for word in reserved))

    def fresh(self, name: str) -> str:
        """The plain form of the name, numbered where it is taken."""
        wanted = found = plain(name)
        number = 2
        while found in self.taken or found.lower() in self.reserved:
            found, number = f"{wanted}{'_' if wanted[-1].isdigit() else ''}{number}", number + 1
        self.taken.add(found)
        return found

    def inner(self) -> Names:
        """Names for a scope inside: what is taken here is taken there, but not the other way round."""
        return Names(self.reserved, set(self.taken))
