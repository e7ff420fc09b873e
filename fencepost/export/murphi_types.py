"""Sorts in Murphi: subranges and enumerations; a set is the number whose bits are its members."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import define, field

from fencepost.export.naming import Names, plain
from fencepost.ir.expr import Var
from fencepost.ir.sorts import (
    NONE,
    BoolSort,
    EnumSort,
    IndexSort,
    IntSort,
    OptionSort,
    SetSort,
    Sort,
    sort_name,
)


@define
class Types:
    """The names of a model's types, given as they are asked for; `texts` declares them afterwards."""

    names: Names
    scalarsets: frozenset[IndexSort] = frozenset()
    known: dict[Sort, str] = field(factory=dict)
    members: dict[tuple[str, str], str] = field(factory=dict)
    none: str = ""
    sets: dict[tuple[Sort, str], str] = field(factory=dict)

    def of(self, sort: Sort) -> str:
        """The type's name, or the subrange itself for an integer."""
        match sort:
            case BoolSort():
                return "boolean"
            case IntSort(lo, hi):
                return f"{lo}..{hi}"
            case EnumSort() | IndexSort() | OptionSort() | SetSort():
                return self.name(sort)
            case _:
                assert_never(sort)

    def name(self, sort: Sort) -> str:
        """A name for the sort in other names."""
        if sort not in self.known:
            match sort:
                case BoolSort():
                    return "boolean"
                case IntSort(lo, hi):
                    return plain(f"{lo}_to_{hi}".replace("-", "minus_"))
                case EnumSort(name, members):
                    self.known[sort] = self.names.fresh(name)
                    for member in members:
                        self.members[name, member] = self.names.fresh(f"{name}_{member}")
                case IndexSort(name=name):
                    self.known[sort] = self.names.fresh(name)
                case OptionSort(of):
                    self.known[sort] = self.names.fresh(f"Maybe{self.name(of)}")
                case SetSort(of):
                    self.known[sort] = self.names.fresh(f"SetOf{self.name(of)}")
                case _:
                    assert_never(sort)
        return self.known[sort]

    def shown(self, sort: Sort) -> str:
        """The sort as our own reports call it."""
        return sort_name(sort)

    def field(self, var: Var) -> str:
        """A variable's name in other names."""
        return plain(var.name)

    def array(self, dims: Iterable[IndexSort], sort: Sort) -> str:
        """The type of an array with these dimensions."""
        return "".join(f"array [{self.of(dim)}] of " for dim in dims) + self.of(sort)

    def set_function(self, sort: Sort, word: str) -> str:
        """The name of `has`, `adding` or `removing` for sets of that sort."""
        if (sort, word) not in self.sets:
            self.sets[sort, word] = self.names.fresh(f"{self.name(sort)}_{word}")
        return self.sets[sort, word]

    # What they are, once all are known

    def constants(self) -> list[str]:
        """The declaration of what an option without a value holds, if there is one."""
        return [f"const\n  {self.none}: {NONE};\n"] if self.none else []

    def texts(self) -> list[str]:
        """One declaration a type. A type that stands on another comes after it."""
        return [f"  {name}: {self._declared(sort)};" for sort, name in sorted(self.known.items(), key=_simple_first)]

    def _declared(self, sort: Sort) -> str:
        if isinstance(sort, EnumSort):
            return f"enum {{ {', '.join(self.members[sort.name, member] for member in sort.members)} }}"
        if sort in self.scalarsets:
            return f"scalarset({sort.size})"
        return f"{sort.lo}..{sort.hi}"

    def set_texts(self) -> list[str]:
        """The functions on sets that are used; a member is a bit, and its weight a power of two."""
        texts = []
        weights: dict[Sort, str] = {}
        for (sort, word), name in self.sets.items():
            assert isinstance(sort, SetSort)
            if sort not in weights:
                weights[sort] = self.names.fresh(f"{self.name(sort)}_bit")
                texts.append(_weight(weights[sort], self.of(sort.of), sort.of.count))
            weight, own = weights[sort], self.of(sort)
            has = f"(members / {weight}(item)) % 2 = 1"
            result, value = {
                "has": ("boolean", has),
                "adding": (own, f"{has} ? members : members + {weight}(item)"),
                "removing": (own, f"{has} ? members - {weight}(item) : members"),
            }[word]
            texts.append(
                f"function {name}(members: {own}; item: {self.of(sort.of)}): {result};\n"
                f"begin\n  return {value};\nend;\n"
            )
        return texts


def _simple_first(item: tuple[Sort, str]) -> tuple[int, str]:
    sort, name = item
    return [EnumSort, IndexSort, OptionSort, SetSort].index(type(sort)), name


def _weight(name: str, item: str, count: int) -> str:
    turns = "".join(f"  if item = {i} then return {1 << i}; end;\n" for i in range(count - 1))
    return f"function {name}(item: {item}): 1..{1 << count - 1};\nbegin\n{turns}  return {1 << count - 1};\nend;\n"


def literal(types: Types, sort: Sort, value: int) -> str:
    """A constant of that sort."""
    match sort:
        case BoolSort():
            return "true" if value else "false"
        case EnumSort(name, members):
            types.name(sort)
            return types.members[name, members[value]]
        case OptionSort() if value == NONE:
            types.none = types.none or types.names.fresh("none")
            return types.none
        case IntSort() | IndexSort() | OptionSort() | SetSort():
            return str(value) if value >= 0 else f"({value})"
        case _:
            assert_never(sort)
