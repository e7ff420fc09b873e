"""Packing: the whole state as one Python integer.

Each element of each variable is kept as `value - sort.lo` in `sort.width` bits, in the order of
`model.vars` and row-major within one; the first element holds the lowest bits.
"""

from __future__ import annotations

from attrs import evolve, field, frozen

from fencepost.exec.interpreter import State
from fencepost.ir.expr import Var
from fencepost.ir.model import Model

WORD = 64


@frozen
class Slot:
    """Where one variable lies: element `i` has `width` bits from bit `offset + i * width`."""

    offset: int
    width: int
    lo: int
    count: int
    size: int
    """How many values an element can have: what is packed is below it."""

    def at(self, position: int) -> int:
        """The lowest bit of the element at a row-major position."""
        return self.offset + position * self.width

    @property
    def word(self) -> int | None:
        """The word in which all elements lie; None where they lie in several."""
        first, last = self.offset // WORD, (self.offset + max(self.count * self.width - 1, 0)) // WORD
        return first if first == last else None


@frozen
class Layout:
    """The slots of one model's variables."""

    vars: tuple[Var, ...]
    slots: dict[Var, Slot] = field(eq=False, repr=False)
    bits: int

    @classmethod
    def of(cls, model: Model) -> Layout:
        """The layout of a model: variables in order, from bit 0."""
        slots: dict[Var, Slot] = {}
        offset = 0
        for var in model.vars:
            slots[var] = Slot(offset, var.sort.width, var.sort.lo, var.count, var.sort.size)
            offset += var.sort.width * var.count
        return cls(model.vars, slots, offset)

    @classmethod
    def in_words(cls, model: Model) -> Layout:
        """A layout for words of 64 bits, which leaves the lowest bit of the first one free."""
        dense = cls.of(model)
        shifted = cls(model.vars, {v: evolve(s, offset=s.offset + 1) for v, s in dense.slots.items()}, dense.bits + 1)
        large = [var for var in model.vars if var.sort.width * var.count > WORD]
        slots: dict[Var, Slot] = {}
        end = 1
        for var in large:
            slots[var] = evolve(dense.slots[var], offset=end)
            end += var.sort.width * var.count
        # What is free in each word after those: from there to the end of the word.
        ends = [min(max(end, word * WORD), (word + 1) * WORD) for word in range(dense.bits // WORD + 1)]
        for var in sorted(set(model.vars) - set(large), key=lambda var: (-var.sort.width * var.count, var.name)):
            bits = var.sort.width * var.count
            word = next((word for word, end in enumerate(ends) if end + bits <= (word + 1) * WORD), None)
            if word is None:
                return shifted
            slots[var] = evolve(dense.slots[var], offset=ends[word])
            ends[word] += bits
        return cls(model.vars, slots, max((slot.at(slot.count) for slot in slots.values()), default=1))

    def pack(self, state: State) -> int:
        """The packed form of an interpreter state whose values are within their sorts."""
        packed = 0
        for var, elements in zip(self.vars, state, strict=True):
            slot = self.slots[var]
            for position, value in enumerate(elements):
                packed |= (value - slot.lo) << slot.at(position)
        return packed

    def unpack(self, packed: int) -> State:
        """The interpreter state of a packed one."""
        return tuple(self._elements(packed, self.slots[var]) for var in self.vars)

    @staticmethod
    def _elements(packed: int, slot: Slot) -> tuple[int, ...]:
        mask = (1 << slot.width) - 1
        return tuple((packed >> slot.at(position) & mask) + slot.lo for position in range(slot.count))
