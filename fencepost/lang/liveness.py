"""Fields that mean something only while a condition holds: which they are, and that dead ones start as zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fencepost.errors import ModelError
from fencepost.exec.interpreter import Interpreter, ObligationBroken, State
from fencepost.ir import expr as ir
from fencepost.ir.model import Model
from fencepost.ir.sorts import show
from fencepost.ir.visit import substitute, walk
from fencepost.lang.fields import ArrayField, Field
from fencepost.lang.reading import Reader
from fencepost.lang.records import AnyField, Part, Place, Record, TableField, declared, scalar
from fencepost.lang.scope import index_sort


def by_liveness(record: Record) -> dict[ir.Expr, list[AnyField]]:
    """The record's fields that can be dead, grouped by their condition as of now."""
    groups: dict[ir.Expr, list[AnyField]] = {}
    for _, field in declared(type(record)):
        if isinstance(field, Field | ArrayField) and (live := scalar(field).liveness(record)) is not None:
            groups.setdefault(live, []).append(field)
    return groups


def reads(cond: ir.Expr, var: ir.Var) -> bool:
    """Whether the condition depends on the variable."""
    return any(isinstance(node, ir.Read) and node.var.name == var.name for node in walk(cond))


def holders(record: Record) -> Iterator[Record]:
    """The record and every record around it, the innermost first."""
    holder: Record | None = record
    while holder is not None:
        yield holder
        holder = holder.place.outer


def check_start(state: type[Record], variables: Mapping[str, ir.Var]) -> None:
    """Every field that is dead in the initial state is zero there.

    Raises:
        ModelError: one is not, or a live_when reads what is dead or ghost.
    """
    interpreter = Interpreter(Model("", None, (), (), tuple(variables.values()), ()))
    start = interpreter.initial()
    for record in _every_record(state(Place("", (), dict(variables), Reader("live_when")))):
        for live, fields in by_liveness(record).items():
            for field in fields:
                _check_ghost(record, live, field)
                if not _is_live(interpreter, start, live, field):
                    _check_zero(interpreter, start, record, field)


def starts_dead(record: Record, field: AnyField) -> bool:
    """Whether the field is dead as soon as the record is what it was at the start, whatever is around it."""
    live = scalar(field).liveness(record)
    if live is None:
        return False
    read: set[ir.Var] = set()

    def at_the_start(node: ir.Expr) -> ir.Expr | None:
        if not isinstance(node, ir.Read):
            return None
        read.add(node.var)
        return ir.Const(node.var.init[0], node.var.sort)

    then = substitute(live, at_the_start)
    own = f"{record.place.path}."
    if not all(var.name.startswith(own) and len(set(var.init)) == 1 for var in read):
        return False
    nothing = Interpreter(Model("", None, (), (), (), ()))
    return not nothing.evaluate(nothing.initial(), then, "live_when")


def _every_record(record: Record) -> Iterator[Record]:
    yield record
    for name, field in declared(type(record)):
        match field:
            case Part():
                yield from _every_record(getattr(record, name))
            case TableField(index=cls):
                for position in index_sort(cls).values():
                    yield from _every_record(getattr(record, name)[cls.at(position)])
            case Field() | ArrayField():
                pass


def _check_ghost(record: Record, live: ir.Expr, field: AnyField) -> None:
    own = record.place.var(field.name, int(isinstance(field, ArrayField)))
    ghosts = [node.var.name for node in walk(live) if isinstance(node, ir.Read) and node.var.ghost]
    if ghosts and not own.ghost:
        raise ModelError(
            f"live_when of {field.name} reads ghost state ({ghosts[0]})",
            "ghost state may decide ghost fields only",
            scalar(field).at,
        )


def _is_live(interpreter: Interpreter, start: State, live: ir.Expr, field: AnyField) -> int:
    try:
        return interpreter.evaluate(start, live, "live_when")
    except ObligationBroken as broken:
        raise ModelError(
            f"live_when of {field.name} cannot be decided at the start ({broken.detail})",
            "write (what makes it readable) & (...)",
            scalar(field).at,
        ) from None


def _check_zero(interpreter: Interpreter, start: State, record: Record, field: AnyField) -> None:
    dims = (index_sort(field.index),) if isinstance(field, ArrayField) else ()
    var = record.place.var(field.name, len(dims))
    inner = [(ir.Const(i, dims[0]),) for i in dims[0].values()] if dims else [()]
    for indices in inner:
        value = interpreter.evaluate(start, ir.Read(var, record.place.indices + indices), field.name)
        if value != var.sort.zero:
            zero = show(var.sort, var.sort.zero)
            raise ModelError(
                f"{field.name} is dead at the start but starts as {show(var.sort, value)}",
                f"let it start as {zero}, as every dead field of its sort",
                scalar(field).at,
            )
