"""An invariant that ABC wrote, as clauses in the words of the model.

The file lists cubes over latches: no reachable state is in one. A latch of the design may hold the
negation of its bit, and its name says so: `not x` in place of `x`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.aig.aiger import Design
from fencepost.errors import InternalError
from fencepost.proof.clause import Bit, Clause, Vocabulary


def clauses(text: str, design: Design) -> list[Clause]:
    """The clauses of an invariant of the design; none that holds in every state.

    Raises:
        InternalError: the text is not such an invariant.
    """
    vocabulary = Vocabulary.of(design.circuit.model)
    columns: list[Bit] | None = None
    found: dict[Clause, None] = {}
    for line in text.splitlines():
        words = line.split()
        if words[:1] == [".ilb"]:
            columns = list(_columns(words[1:], design))
        elif words and set(words[0]) <= set("01-"):
            if columns is None or len(columns) != len(words[0]):
                raise InternalError("ABC wrote an invariant whose columns have no names")
            bits = (
                Bit(column.at, column.bit, column.one is (value == "0"))
                for column, value in zip(columns, words[0], strict=True)
                if value != "-"
            )
            if (clause := vocabulary.clause(bits)) is not None:
                found[clause] = None
    return [*found]


def _columns(words: list[str], design: Design) -> Iterator[Bit]:
    """For each column, the bit that it is about, and whether 1 says that it is one."""
    names: dict[str, Bit] = {}
    first = {
        var: sum(v.count for v in design.circuit.model.vars[:i]) for i, var in enumerate(design.circuit.model.vars)
    }
    for held in design.latches:
        latch = design.circuit.latches[held.place]
        names[latch.name] = Bit(first[latch.var] + latch.position, latch.bit, not held.flipped)
    for word in words:
        if word == "not":
            continue  # the first half of the name of a latch that holds a negation, which is known
        if word not in names:
            raise InternalError(f"ABC wrote an invariant over {word[:80]!r}, which is no latch")
        yield names[word]
