"""The variables of a model as they were declared: records, and tables of them, with scalars at the leaves."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen, mutable

from fencepost.ir.expr import Var
from fencepost.ir.sorts import IndexSort


@mutable
class Node:
    """A place in the state: a field, its dimensions, and what lies in it (a variable, or fields of its own)."""

    dims: tuple[IndexSort, ...] = ()
    var: Var | None = None
    fields: dict[str, Node] = field(factory=dict)


@frozen
class Step:
    """One part of a variable's name: the field, and how many of the variable's indices follow it."""

    name: str
    indices: int


def steps(var: Var) -> tuple[Step, ...]:
    """The way to a variable: `queues[].packets[].phase` is `queues` (1), `packets` (1), `phase` (0)."""
    parts = [(part.replace("[]", ""), part.count("[]")) for part in var.name.split(".")]
    named = sum(count for _, count in parts)
    last, count = parts[-1]
    parts[-1] = last, count + len(var.dims) - named
    return tuple(Step(name, count) for name, count in parts)


def tree(variables: tuple[Var, ...]) -> Node:
    """The root, whose fields are the state's own, in the order in which the variables first name them.

    A name that is a field of its own as well as one with fields, or with other dimensions, is none of
    the tree's business: such variables lie at the root, whole.
    """
    root = Node()
    for var in variables:
        if not _put(root, var):
            root.fields[f"{var.name} whole"] = Node(var.dims, var)
    return root


def _put(root: Node, var: Var) -> bool:
    at, dims, way = root, list(var.dims), steps(var)
    for number, step in enumerate(way):
        own, dims = tuple(dims[: step.indices]), dims[step.indices :]
        found = at.fields.get(step.name)
        is_last = number == len(way) - 1
        if found is None:
            found = at.fields[step.name] = Node(own, var if is_last else None)
            if is_last:
                return True
        elif is_last or found.var is not None or found.dims != own:
            return False
        at = found
    return False


def leaves(node: Node, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Var]]:
    """Every variable below a node, with the fields that lead to it."""
    if node.var is not None:
        yield way, node.var
    for name, child in node.fields.items():
        yield from leaves(child, (*way, name))
