"""The state in Promela: one typedef a record. An option without a value is -1, a set a bit mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from attrs import define, field

from fencepost.export.naming import Names
from fencepost.export.shape import Node, tree
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import (
    NONE,
    BoolSort,
    EnumSort,
    IndexSort,
    IntSort,
    OptionSort,
    SetSort,
    Sort,
    show,
    sort_name,
)

ROW = "at"
"""The field of an array in an array, which Promela has only as a record in an array."""


@define
class State:
    """Names of members, fields and records; `paths` leads to each variable, with `[]` for an index."""

    names: Names
    members: dict[tuple[str, str], str] = field(factory=dict)
    values: list[str] = field(factory=list)
    typedefs: list[str] = field(factory=list)
    variables: list[str] = field(factory=list)
    paths: dict[Var, tuple[str, ...]] = field(factory=dict)
    none: str = ""

    @classmethod
    def of(cls, model: Model, names: Names) -> State:
        """The declarations for a model's variables."""
        state = cls(names, none=names.fresh("none"))
        state._fields(tree(model.vars), (), names, state.variables)
        # A parameter of an inline would stand in for a field of its name, too.
        names.taken.update(part for path in state.paths.values() for part in path)
        return state

    def _fields(self, node: Node, way: tuple[str, ...], names: Names, lines: list[str]) -> None:
        for name, child in node.fields.items():
            known = names.fresh(name)
            kind, end = self._kind(child, (*way, known)), ""
            rest = child.dims
            path: tuple[str, ...] = (*way, known)
            if rest:
                kind, end = self._rows(kind, rest, known), f"[{rest[0].count}]"
                path = (*path, "[]", *(part for _ in rest[1:] for part in (ROW, "[]")))
            if child.var is not None:
                self.paths[child.var] = path
            else:
                self._rename((*way, known), path)
            about = "" if child.var is None else f"  /* {_about(child.var)} */"
            lines.append(f"{kind} {known}{end};{about}")

    def _kind(self, node: Node, way: tuple[str, ...]) -> str:
        if node.var is not None:
            return self.kind(node.var.sort)
        inner: list[str] = []
        self._fields(node, way, Names(self.names.reserved, {ROW}), inner)
        name = self.names.fresh("_".join(part.capitalize() for part in way[-2:]))
        fields = "\n".join(f"  {line}" for line in inner)
        self.typedefs.append(f"typedef {name} {{\n{fields}\n}}\n")
        return name

    def _rows(self, kind: str, dims: tuple[IndexSort, ...], name: str) -> str:
        for dim in reversed(dims[1:]):
            row = self.names.fresh(f"{name}_row")
            self.typedefs.append(f"typedef {row} {{\n  {kind} {ROW}[{dim.count}]\n}}\n")
            kind = row
        return kind

    def _rename(self, plain: tuple[str, ...], path: tuple[str, ...]) -> None:
        """Put the indices of a record into the paths of what lies in it."""
        for var, known in list(self.paths.items()):
            if known[: len(plain)] == plain:
                self.paths[var] = (*path, *known[len(plain) :])

    def kind(self, sort: Sort) -> str:
        """The type that holds a sort's values."""
        match sort:
            case BoolSort():
                return "bool"
            case EnumSort(name, members):
                for member in members:
                    self.member(name, member, sort)
                return "byte"
            case IntSort() | IndexSort() | OptionSort() | SetSort():
                if sort.lo >= 0 and sort.hi <= 255:
                    return "byte"
                return "short" if sort.lo >= -(1 << 15) and sort.hi < 1 << 15 else "int"
            case _:
                assert_never(sort)

    def member(self, name: str, member: str, sort: EnumSort) -> str:
        """The name of a member's value."""
        if (name, member) not in self.members:
            known = self.members[name, member] = self.names.fresh(f"{name}_{member}")
            self.values.append(f"#define {known} {sort.members.index(member)}")
        return self.members[name, member]

    def element(self, var: Var, indices: Sequence[str]) -> str:
        """The text of an element."""
        rest = list(indices)
        text = ""
        for part in self.paths[var]:
            text += f"[{rest.pop(0)}]" if part == "[]" else f".{part}" if text else part
        return text

    def local(self, name: str, dims: tuple[IndexSort, ...], indices: Sequence[str]) -> str:
        """The text of an element of a local, which lies row by row in one array."""
        if not dims:
            return name
        place = indices[0]
        for dim, index in zip(dims[1:], indices[1:], strict=True):
            place = f"({place}) * {dim.count} + {index}"
        return f"{name}[{place}]"

    def initial(self, model: Model) -> Iterator[str]:
        """The assignments of all that does not start as 0."""
        for var in model.vars:
            for position, value in enumerate(var.init):
                if value:
                    element = self.element(var, [str(index) for index in var.indices(position)])
                    yield f"{element} = {literal(self, var.sort, value)};"


def literal(state: State, sort: Sort, value: int) -> str:
    """A constant of that sort."""
    match sort:
        case BoolSort():
            return show(sort, value)
        case EnumSort(name, members):
            return state.member(name, members[value], sort)
        case OptionSort() if value == NONE:
            return state.none
        case IntSort() | IndexSort() | OptionSort() | SetSort():
            return str(value) if value >= 0 else f"({value})"
        case _:
            assert_never(sort)


def _about(var: Var) -> str:
    known = sort_name(var.sort)
    return f"ghost, {known}" if var.ghost else known
