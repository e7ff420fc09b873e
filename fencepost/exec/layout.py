"""Packing: the whole state as one Python integer.

Each element of each variable is kept as `value - sort.lo` in `sort.width` bits, in the order of
`model.vars` and row-major within one; the first element holds the lowest bits.
"""

from __future__ import annotations

from attrs import field, frozen

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
        """A layout for words of 64 bits, which leaves at least the highest bit of the last one free."""
        dense = cls.of(model)
        count = dense.bits // WORD + 1
        ends = [word * WORD for word in range(count)]
        room = [WORD] * (count - 1) + [WORD - 1]
        slots: dict[Var, Slot] = {}
        for var in sorted(model.vars, key=lambda var: -var.sort.width * var.count):
            bits = var.sort.width * var.count
            # One that is larger than a word begins at a word, and takes the beginning of the last one too.
            full, rest = divmod(bits, WORD) if bits > WORD else (0, bits)
            fits = [at for at in range(count - full) if all(left == WORD for left in room[at : at + full])]
            at = next((at for at in fits if room[at + full] >= rest), None)
            if at is None:
                return dense
            if full and room[at + full] < (WORD if at + full < count - 1 else WORD - 1):
                return dense
            slots[var] = Slot(ends[at], var.sort.width, var.sort.lo, var.count, var.sort.size)
            for word in range(at, at + full):
                ends[word], room[word] = ends[word] + WORD, 0
            ends[at + full] += rest
            room[at + full] -= rest
        return cls(model.vars, slots, max(slot.at(slot.count) for slot in slots.values()) if slots else 0)

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
