"""The state as TLA+ keeps it: functions of index sorts, and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from attrs import frozen

from fencepost.export.naming import Names, plain
from fencepost.export.shape import Node, tree
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import NONE, BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort

_KEYWORDS = (
    " ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE "
    "ENABLED EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY "
    "OTHER PICK PROOF PROPOSITION PROVE QED RECURSIVE SF_ STATE STRING SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM "
    "TRUE UNCHANGED UNION USE VARIABLE VARIABLES WF_ WITNESS WITH "
)
_OWN = ("None", "Sum", "vars", "Init", "Next", "Spec", "Fairness", "TypeOK", "Obligations", "Nat", "Int", "Cardinality")
"""What the text defines for itself, or gets from what it extends."""


class TlaNames(Names):
    """Names that TLA+ accepts. Its keywords are in capitals, so `enabled` is a name."""

    @classmethod
    def start(cls) -> TlaNames:
        """None given yet."""
        return cls(frozenset(word.lower() for word in _OWN))

    def fresh(self, name: str) -> str:
        """As any name, with another end where it would be a keyword."""
        text = plain(name)
        return super().fresh(f"{text}_x" if f" {text} " in _KEYWORDS or text[:3] in {"WF_", "SF_"} else text)

    def inner(self) -> TlaNames:
        """For a scope inside."""
        return TlaNames(self.reserved, set(self.taken))


@frozen
class Place:
    """Where a variable lies: the root, and the way down, with a name for a field and a number for so many indices."""

    root: str
    steps: tuple[str | int, ...]

    def path(self, indices: Sequence[str]) -> str:
        """Such as `[q].packets[0].phase`."""
        rest = iter(indices)
        return "".join(
            f".{step}" if isinstance(step, str) else "".join(f"[{next(rest)}]" for _ in range(step))
            for step in self.steps
        )


@frozen
class Layout:
    """The roots (TLA+'s variables) in the order in which they are declared, and where each field lies."""

    roots: Mapping[str, Node]
    places: Mapping[Var, Place]


def lay_out(model: Model, names: Names) -> Layout:
    """The state's own fields as variables, all that lies in them as functions and records."""
    roots = {names.fresh(name): node for name, node in tree(model.vars).fields.items()}
    places: dict[Var, Place] = {}
    for root, node in roots.items():
        for steps, var in _ways(node):
            places[var] = Place(root, steps)
    return Layout(roots, places)


def _ways(node: Node) -> Iterator[tuple[tuple[str | int, ...], Var]]:
    here: tuple[str | int, ...] = (len(node.dims),) if node.dims else ()
    if node.var is not None:
        yield here, node.var
    for name, child in node.fields.items():
        for steps, var in _ways(child):
            yield (*here, plain(name), *steps), var


class Sorts:
    """What the sorts are called, and their values."""

    def __init__(self, names: Names) -> None:
        self._names, self._called = names, dict[str, str]()
        self.definitions: list[str] = []
        """One a nominal sort, as they were asked for."""

    def values(self, sort: Sort) -> str:
        """The set of the sort's values."""
        match sort:
            case BoolSort():
                return "BOOLEAN"
            case IntSort(lo, hi):
                return f"{lo}..{hi}"
            case EnumSort(name, members):
                return self._named(name, f"{{{', '.join(map(_quoted, members))}}}")
            case IndexSort(name, count):
                return self._named(name, f"0..{count - 1}")
            case OptionSort(of):
                return f"{self.values(of)} \\cup {{None}}"
            case SetSort(of):
                return f"SUBSET {self.values(of)}"
            case _:
                assert_never(sort)

    def _named(self, name: str, values: str) -> str:
        if name not in self._called:
            self._called[name] = self._names.fresh(name)
            self.definitions.append(f"{self._called[name]} == {values}")
        return self._called[name]

    @staticmethod
    def kind(sort: Sort) -> str:
        """The sort's type as Apalache writes it."""
        match sort:
            case BoolSort():
                return "Bool"
            case EnumSort():
                return "Str"
            case SetSort():
                return "Set(Int)"
            case IntSort() | IndexSort() | OptionSort():
                return "Int"
            case _:
                assert_never(sort)


def literal(sort: Sort, value: int) -> str:
    """A value of a sort."""
    match sort:
        case BoolSort():
            return "TRUE" if value else "FALSE"
        case IntSort() | IndexSort():
            return str(value)
        case EnumSort(members=members):
            return _quoted(members[value])
        case OptionSort():
            return "None" if value == NONE else str(value)
        case SetSort(of):
            return "{" + ", ".join(str(i) for i in range(of.count) if value >> i & 1) + "}"
        case _:
            assert_never(sort)


def _quoted(member: str) -> str:
    return f'"{member}"'


def set_of(node: Node, sorts: Sorts) -> str:
    """The set of all values that a part of the state may have."""
    text = sorts.values(node.var.sort) if node.var is not None else _record(node, ": ", sorts)
    for dim in reversed(node.dims):
        text = f"[{sorts.values(dim)} -> {text}]"
    return text


def _record(node: Node, colon: str, sorts: Sorts) -> str:
    return "[" + ", ".join(f"{plain(name)}{colon}{set_of(part, sorts)}" for name, part in node.fields.items()) + "]"


def type_of(node: Node) -> str:
    """The type of a part of the state as Apalache writes it."""
    text = (
        Sorts.kind(node.var.sort)
        if node.var is not None
        else "{ " + ", ".join(f"{plain(name)}: {type_of(part)}" for name, part in node.fields.items()) + " }"
    )
    for _ in node.dims:
        text = f"Int -> {text}"
    return text


def start_of(node: Node, sorts: Sorts, bound: Sequence[str], at: tuple[int, ...] = ()) -> str:
    """The initial value of a part of the state; `bound` are names for the arguments of its functions."""
    return _function(node, node.dims, sorts, bound, at)


def _function(node: Node, dims: tuple[IndexSort, ...], sorts: Sorts, bound: Sequence[str], at: tuple[int, ...]) -> str:
    if dims:
        values = [_function(node, dims[1:], sorts, bound, (*at, index)) for index in dims[0].values()]
        name = bound[len(at)]
        return f"[{name} \\in {sorts.values(dims[0])} |-> {_by_case(name, values)}]"
    if node.var is not None:
        return literal(node.var.sort, node.var.init[node.var.flat(at)])
    parts = (f"{plain(name)} |-> {start_of(part, sorts, bound, at)}" for name, part in node.fields.items())
    return f"[{', '.join(parts)}]"


def _by_case(name: str, values: list[str]) -> str:
    if len(set(values)) == 1:
        return values[0]
    return "CASE " + " [] ".join(f"{name} = {index} -> {value}" for index, value in enumerate(values))


def depth(node: Node) -> int:
    """How many functions lie inside each other."""
    return len(node.dims) + max(map(depth, node.fields.values()), default=0)
