"""What a place in the code knows: the state at each epoch, and fields whose value is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self

from attrs import evolve, field, frozen, mutable

from fencepost.exec.facts import Bounds, Fact, bounds
from fencepost.exec.layout import Layout, Slot
from fencepost.exec.low import STATE, Dynamic, Field, Linear, Lit, Local, Low, Patch
from fencepost.exec.low_build import linear, shifted, sub
from fencepost.exec.low_code import Block, Code, Let


@frozen
class Snapshot:
    """The state at one epoch: a packed state, and stores to known places not yet made in it.

    `dirty` has the offsets of the elements in which `base` may differ from the state before the
    step; any other element is read from that, so that reads at all epochs share one extraction.
    `pending` maps an element's offset to its packed value and slot.
    """

    base: Local
    dirty: frozenset[int] = frozenset()
    pending: Mapping[int, tuple[Low, Slot]] = field(factory=dict)


@mutable
class Names:
    """Fresh locals, unique within a program, and the numbers of obligations."""

    obligations: dict[str, int] = field(factory=dict)
    locals: int = 0

    def local(self, like: Low) -> Local:
        """A new local with the bounds of `like`."""
        return self.local_between(like.lo, like.hi)

    def local_between(self, lo: int, hi: int) -> Local:
        """A new local within `lo..hi`."""
        self.locals += 1
        return Local(f"v{self.locals}", lo, hi)

    def obligation(self, name: str) -> int:
        """The number of an obligation's name."""
        return self.obligations.setdefault(name, len(self.obligations))


@mutable
class Scope:
    """One block under construction.

    Nested blocks get a child scope: they see what is known here, and what they learn stays theirs.
    """

    layout: Layout
    names: Names
    where: str
    params: Mapping[str, int]
    loops: dict[int, int] = field(factory=dict)
    epochs: dict[int, Snapshot] = field(factory=dict)
    facts: dict[Low, Bounds] = field(factory=dict)
    """What is known of values here: their bounds."""
    assumed: dict[Low, Bounds] = field(factory=dict)
    """What else is known where the expression at hand is evaluated, but not in the code before it."""
    code: list[Code] = field(factory=list)
    few: float = 2
    """Up to so many elements that differ after a branch are merged one by one; more are packed in the branch."""

    @classmethod
    def fresh(cls, layout: Layout, names: Names, where: str, params: Mapping[str, int]) -> Self:
        """The scope in which only the state before the step is known."""
        start = Snapshot(Local(STATE, 0, (1 << layout.bits) - 1))
        return cls(layout, names, where, params, epochs={0: start})

    def child(self) -> Self:
        """A scope for a block nested here."""
        return evolve(self, loops=dict(self.loops), epochs=dict(self.epochs), facts=dict(self.facts), code=[])

    def block(self) -> Block:
        """The code so far."""
        return tuple(self.code)

    def field(self, snapshot: Snapshot, offset: int, slot: Slot) -> Low:
        """The packed value of an element at a known place."""
        if slot.width == 0:
            # Such an element has no bits: its offset is that of the next element.
            return Lit(0)
        if offset in snapshot.pending:
            return snapshot.pending[offset][0]
        found = Field(snapshot.base if offset in snapshot.dirty else self.start.base, offset, slot.width, slot.size - 1)
        lo, hi = self.bounds(found)
        return Lit(lo) if lo == hi else found

    def bounds(self, node: Low) -> Bounds:
        """What is known of a value here."""
        return bounds(node, {**self.facts, **self.assumed} if self.assumed else self.facts)

    @property
    def start(self) -> Snapshot:
        """The state before the step."""
        return self.epochs[0]

    def dynamic(self, epoch: int, position: Low, slot: Slot) -> Low:
        """The packed value of the element at a computed row-major position, at an epoch."""
        if slot.width == 0:
            return Lit(0)
        places = [slot.at(i) for i in range(slot.count)]
        snapshot = self.epochs[epoch]
        if any(place in snapshot.pending for place in places):
            snapshot = self.epochs[epoch] = self.settle(snapshot)
        state = snapshot.base if any(place in snapshot.dirty for place in places) else self.start.base
        return Dynamic(state, linear(((slot.width, position),), slot.offset), slot.width, slot.size - 1)

    def keep(self, value: Low) -> Low:
        """A value that may be used many times and later: named, unless it is as cheap as a name."""
        if _cheap(value):
            return value
        local = self.names.local_between(*self.bounds(value))
        self.code.append(Let(local, value))
        return local

    def store(self, snapshot: Snapshot, offset: int, slot: Slot, value: Low) -> Snapshot:
        """The state after a store of a packed value to a known place."""
        if slot.width == 0:
            return snapshot
        return evolve(snapshot, pending={**snapshot.pending, offset: (self.keep(value), slot)})

    def store_dynamic(self, snapshot: Snapshot, position: Low, slot: Slot, value: Low) -> Snapshot:
        """The state after a store of a packed value to a computed place."""
        if slot.width == 0:
            return snapshot
        snapshot = self.settle(snapshot)
        at = self.keep(linear(((slot.width, position),), slot.offset))
        old = Dynamic(snapshot.base, at, slot.width, slot.size - 1)
        base = self._state(linear(((1, snapshot.base), (1, shifted(sub(value, old), at)))))
        return Snapshot(base, snapshot.dirty | {slot.at(i) for i in range(slot.count)})

    def settle(self, snapshot: Snapshot) -> Snapshot:
        """The same state with nothing pending."""
        if not snapshot.pending:
            return snapshot
        assumed, self.assumed = self.assumed, {}
        base = self._state(self.packed(snapshot))
        self.assumed = assumed
        return Snapshot(base, snapshot.dirty | snapshot.pending.keys())

    def packed(self, snapshot: Snapshot) -> Low:
        """The packed state: what is pending, put into the base at once."""
        mask = 0
        parts: list[tuple[int, Low]] = []
        for offset, (value, slot) in sorted(snapshot.pending.items()):
            old = self.field(Snapshot(snapshot.base, snapshot.dirty), offset, slot)
            change = sub(value, old)
            if not isinstance(change, Lit):
                mask |= (1 << slot.width) - 1 << offset
                change = value
            parts.append((1 << offset, change))
        if not mask:
            return linear(((1, snapshot.base), *parts))
        return Patch(snapshot.base, mask, linear(parts))

    def _state(self, value: Low) -> Local:
        if isinstance(value, Local):
            return value
        local = self.names.local_between(0, self.start.base.hi)
        self.code.append(Let(local, value))
        return local

    def learn(self, facts: Iterable[Fact]) -> None:
        """Take facts as known from here on in this block."""
        _add(self.facts, facts)

    @contextmanager
    def assuming(self) -> Iterator[Callable[[Iterable[Fact]], None]]:
        """Within one expression: gives a function by which its later parts learn what its earlier ones say."""
        outer = self.assumed
        self.assumed = dict(outer)
        yield lambda facts: _add(self.assumed, facts, self.facts)
        self.assumed = outer


def _add(known: dict[Low, Bounds], facts: Iterable[Fact], outer: Mapping[Low, Bounds] | None = None) -> None:
    for fact in facts:
        lo, hi = fact.narrow(bounds(fact.node, {**(outer or {}), **known}))
        if lo <= hi:  # else what follows is never reached, and may be taken for anything
            known[fact.node] = lo, hi


def _cheap(value: Low) -> bool:
    match value:
        case Lit() | Local() | Field():
            return True
        case Linear(((_, term),), _):
            return _cheap(term)
        case _:
            return False
