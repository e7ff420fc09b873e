"""From a state to the one that stands for its orbit, in generated Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fencepost.exec.layout import Slot
from fencepost.exec.orbits import Field, Key, Mark, Orbits
from fencepost.ir.expr import Var
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.ir.symmetry import VALUE, Role

Canonical: TypeAlias = Callable[[int], int]
"""From a packed state to the packed state of its orbit."""

Moves = tuple[tuple[int, int, int, tuple[int, ...] | None], ...]
"""From which bit, to which bit, the mask of what is moved, and what becomes of each value (None if it stays)."""


def compile_canonical(orbits: Orbits) -> Canonical:
    """The function from a state to the one of its orbit."""
    space: dict[str, Any] = {}
    exec(compile(sorted_source(orbits), "<generated canonical>", "exec"), space)  # noqa: S102 - the source is ours
    arranged: Canonical = space["canonical"]
    if not orbits.tried:
        return arranged
    keys = [_compile_keys(orders.key) for orders in orbits.tried]
    renamings = [list(_permutations(orders.role)) for orders in orbits.tried]
    kept, moves = _all_moves(orbits, renamings)

    def canonical(s: int) -> int:
        return min(
            arranged(_moved(s, kept, moves[tuple(order for order, _ in chosen)]))
            for chosen in itertools.product(
                *(
                    [(number, order) for number, order in enumerate(orders) if _sorts(order, key(s))]
                    for orders, key in zip(renamings, keys, strict=True)
                )
            )
        )

    return canonical


def _permutations(role: Role) -> Iterator[tuple[int, ...]]:
    """Each renaming: the new name of each index."""
    return itertools.permutations(range(role.sort.count))


def _sorts(renaming: tuple[int, ...], keys: Sequence[int]) -> bool:
    """Whether the keys ascend in the order of the new names."""
    after = [0] * len(keys)
    for index, new in enumerate(renaming):
        after[new] = keys[index]
    return all(a <= b for a, b in itertools.pairwise(after))


def _moved(s: int, kept: int, moves: Moves) -> int:
    moved = s & kept
    for start, to, mask, values in moves:
        value = s >> start & mask
        moved |= (value if values is None else values[value]) << to
    return moved


def _all_moves(
    orbits: Orbits, renamings: Sequence[Sequence[tuple[int, ...]]]
) -> tuple[int, dict[tuple[int, ...], Moves]]:
    """The bits that no renaming moves, and the moves of each combination of them, by number."""
    every = [orders.role for orders in orbits.tried]
    touched = [var for var in orbits.layout.vars if any(var in (each for each, _ in role.places) for role in every)]
    kept = -1
    for var in touched:
        slot = orbits.layout.slots[var]
        kept &= ~(((1 << slot.width * slot.count) - 1) << slot.offset)
    moves: dict[tuple[int, ...], Moves] = {}
    for numbers in itertools.product(*(range(len(each)) for each in renamings)):
        new = {role: each[number] for role, each, number in zip(every, renamings, numbers, strict=True)}
        moves[numbers] = tuple(move for var in touched for move in _moves(var, orbits.layout.slots[var], new))
    return kept, moves


def _moves(
    var: Var, slot: Slot, new: Mapping[Role, tuple[int, ...]]
) -> Iterator[tuple[int, int, int, tuple[int, ...] | None]]:
    names = {where: new[role] for role in new for each, where in role.places if each == var}
    values = (
        None
        if VALUE not in names
        else tuple(_renamed(var.sort, packed, names[VALUE]) for packed in range(1 << slot.width))
    )
    for position in range(slot.count):
        indices = (names[dim][i] if dim in names else i for dim, i in enumerate(var.indices(position)))
        yield slot.at(position), slot.at(var.flat(tuple(indices))), (1 << slot.width) - 1, values


def _renamed(sort: Sort, packed: int, new: tuple[int, ...]) -> int:
    """What is packed for a value, once indices have other names."""
    match sort:
        case IndexSort():
            return new[packed] if packed < len(new) else packed
        case OptionSort():
            return new[packed - 1] + 1 if 0 < packed <= len(new) else packed
        case SetSort():
            return sum(1 << new[i] for i in range(len(new)) if packed >> i & 1)
        case BoolSort() | IntSort() | EnumSort():
            raise AssertionError("no index is a value of such a sort")


def sorted_source(orbits: Orbits) -> str:
    """Python source of `canonical`, of the roles that are sorted."""
    lines = ["def canonical(s):"]
    for _, key in orbits.sorted:
        if not key.parts:
            continue
        names = [f"k{index}" for index in range(key.count)]
        lines += [f" {name} = {_key_text(key, index)}" for index, name in enumerate(names)]
        lines.append(f" {', '.join(names)} = sorted(({', '.join(names)}))")
        gone = sum(mask << at for at, mask in _bits(key))
        put = [_field_text(part, names) for part in key.parts]
        lines.append(f" s = s & {~gone} | {' | '.join(text for text in put if text)}")
    return "\n".join((*lines, " return s", ""))


def _compile_keys(key: Key) -> Callable[[int], tuple[int, ...]]:
    text = f"lambda s: ({', '.join(_key_text(key, index) for index in range(key.count))},)"
    keys: Callable[[int], tuple[int, ...]] = eval(text)  # noqa: S307 - the source is ours
    return keys


def _key_text(key: Key, index: int) -> str:
    terms = []
    for part in key.parts:
        match part:
            case Field(to, width, at):
                terms.append(f"(s >> {at[index]} & {(1 << width) - 1}) << {to}")
            case Mark(to, at, width, base):
                terms.append(f"(s >> {at} & {(1 << width) - 1} == {index + base}) << {to}")
    return " | ".join(terms) or "0"


def _bits(key: Key) -> Iterator[tuple[int, int]]:
    """Where in the state the parts lie, each with its mask."""
    for part in key.parts:
        match part:
            case Field(width=width, at=starts):
                yield from ((at, (1 << width) - 1) for at in starts)
            case Mark(at=at, width=width):
                yield at, (1 << width) - 1


def _field_text(part: Field | Mark, names: Sequence[str]) -> str:
    """What the sorted keys put into the state for a part of them."""
    match part:
        case Field(to, width, at):
            return " | ".join(
                f"({name} >> {to} & {(1 << width) - 1}) << {start}" for name, start in zip(names, at, strict=True)
            )
        case Mark(to, at, base=base):
            held = [f"({name} >> {to} & 1) * {index + base}" for index, name in enumerate(names) if index + base]
            return f"({' + '.join(held)}) << {at}" if held else ""
