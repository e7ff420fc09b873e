"""Murphi, for rumur and CMurphi: a rule an action, a ruleset its parameters, an invariant a property.

A state of the text is a state of the model. A rule whose assertion fails has no next state, as with us.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from attrs import evolve, field, mutable

from fencepost.export.current import current
from fencepost.export.formats import Exported
from fencepost.export.header import header_lines, left_out
from fencepost.export.murphi_expr import Functions, Place, bounds
from fencepost.export.murphi_types import Types, literal
from fencepost.export.naming import Names
from fencepost.export.obligations import fits, is_total
from fencepost.export.scalarsets import scalarsets
from fencepost.export.shape import Node, tree
from fencepost.export.simplify import simplified, simplified_action
from fencepost.ir.expr import Quantified, Var
from fencepost.ir.model import Action, GuardKind, Model, Property, PropertyKind
from fencepost.ir.show import show_expr
from fencepost.ir.sorts import EnumSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions_of, statements, walk

_RESERVED = """
alias array as assert assume begin boolean by case clear const cover do else elsif end endalias endexists endfor
endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum
error exists false for forall function if in interleaved invariant isundefined ismember liveness multiset
multisetadd multisetcount multisetremove multisetremovepred of print procedure process program property put real
record return rule ruleset scalarset startstate string switch then to traceuntil true type undefine undefined
union var while max min value item members
"""

WHY = "Murphi asks for something to happen only of single states, and knows no fairness of rules"


def export(model: Model) -> Exported:
    """The model as a Murphi program."""
    return Exported(_Writer.of(model).program())


@mutable
class _Writer:
    model: Model
    root: Node
    place: Place
    names_of: Mapping[int, str] = field(factory=dict)

    @classmethod
    def of(cls, model: Model) -> _Writer:
        names = Names.without(_RESERVED.split())
        root = tree(model.vars)
        fields = _field_names(root, names)
        types = Types(names, scalarsets(model))
        for var in model.vars:
            for sort in (*var.dims, var.sort):
                types.name(sort)
        for action in model.actions:
            for sort in (
                *(param.sort for param in action.params),
                *(stmt.var.sort for stmt in statements(action.body) if isinstance(stmt, For)),
            ):
                types.name(sort)
        for expr in expressions_of(model):
            for node in walk(expr):
                if isinstance(node, Quantified):
                    types.name(node.var.sort)
        paths = dict(_paths(root, fields, ()))
        return cls(model, root, Place("", Functions(types, names), paths, names), fields)

    def program(self) -> str:
        rules = [self.rule(action) for action in self.model.actions]
        invariants = [self.invariant(prop) for prop in self.model.properties if prop.kind is not PropertyKind.RESPONSE]
        start = self.startstate()
        types, functions = self.place.types, self.place.functions
        variables = "var\n" + "".join(self.declared(self.root, 1))
        sets = types.set_texts()
        head = _comment([*header_lines(self.model), *left_out(self.model, WHY)])
        parts = [head, *types.constants()]
        if declared := types.texts():
            parts.append("type\n" + "".join(f"{line}\n" for line in declared))
        return "\n".join([*parts, variables, *sets, *functions.texts, start, *rules, *invariants])

    # Variables

    def declared(self, node: Node, depth: int) -> Iterator[str]:
        pad = "  " * depth
        for child in node.fields.values():
            name = self.names_of[id(child)]
            array = "".join(f"array [{self.place.types.of(dim)}] of " for dim in child.dims)
            if child.var is not None:
                ghost = "  -- ghost" if child.var.ghost else ""
                yield f"{pad}{name}: {array}{self.place.types.of(child.var.sort)};{ghost}\n"
            else:
                yield f"{pad}{name}: {array}record\n"
                yield from self.declared(child, depth + 1)
                yield f"{pad}end;\n"

    def startstate(self) -> str:
        own = [line for var in self.model.vars if len(set(var.init)) > 1 for line in self.elements(var)]
        return f'startstate "initial"\n{"".join(self.uniform(self.root, "", 1, self.place.names))}{"".join(own)}end;\n'

    def uniform(self, node: Node, way: str, depth: int, names: Names) -> Iterator[str]:
        """Assignments of all variables whose elements start alike, a loop a dimension."""
        for child in node.fields.values():
            if not _has_uniform(child):
                continue
            name = f"{way}.{self.names_of[id(child)]}" if way else self.names_of[id(child)]
            inner, pads = names.inner(), depth
            for dim in child.dims:
                loop = inner.fresh(dim.name.lower())
                yield f"{'  ' * pads}for {loop}: {self.place.types.of(dim)} do\n"
                name, pads = f"{name}[{loop}]", pads + 1
            if child.var is not None:
                value = literal(self.place.types, child.var.sort, child.var.init[0])
                yield f"{'  ' * pads}{name} := {value};\n"
            yield from self.uniform(child, name, pads, inner)
            for back in range(len(child.dims)):
                yield f"{'  ' * (pads - 1 - back)}end;\n"

    def elements(self, var: Var) -> Iterator[str]:
        for position, value in enumerate(var.init):
            indices = [str(index) for index in var.indices(position)]
            text = ""
            for part in self.place.paths[var]:
                text += f"[{indices.pop(0)}]" if part == "[]" else f".{part}" if text else part
            yield f"  {text} := {literal(self.place.types, var.sort, value)};\n"

    # Rules

    def rule(self, action: Action) -> str:
        kept = current(action)
        action = simplified_action(kept.action)
        names = self.place.names.inner()
        params = {param.name: names.fresh(param.name) for param in action.params}
        locals_ = {local: (names.fresh(local.name), var) for local, var in kept.locals.items()}
        place = evolve(self.place, where=action.name, names=names, params=params, locals=locals_)
        about = [f"{action.src} (by {action.actor.name}, {action.kind.value})", *action.doc.strip().splitlines()]
        pad = "  " if params else ""
        lines = [f'{pad}rule "{action.name}"\n', *_guards(action, place, pad), f"{pad}==>\n"]
        if locals_:
            lines.append(f"{pad}var\n")
            lines += [
                f"{pad}  {name}: {place.types.array(local.dims, local.sort)};\n" for local, (name, _) in locals_.items()
            ]
        lines.append(f"{pad}begin\n")
        lines += _block(action.body, place, pad + "  ")
        lines.append(f"{pad}end;\n")
        if params:
            told = "; ".join(f"{params[param.name]}: {place.types.of(param.sort)}" for param in action.params)
            lines = [f"ruleset {told} do\n", *lines, "end;\n"]
        return _comment(about) + "".join(lines)

    def invariant(self, prop: Property) -> str:
        place = evolve(self.place, where=prop.name)
        text = place.expr(simplified(prop.holds))
        return _comment(prop.statement.strip().splitlines()) + f'invariant "{prop.name}"\n  {text};\n'


def _guards(action: Action, place: Place, pad: str) -> Iterator[str]:
    if not action.guards:
        yield f"{pad}  true\n"
    for number, guard in enumerate(action.guards):
        kind = "" if guard.kind is GuardKind.REQUIRE else "bound: "
        yield f"{pad}  -- {kind}{guard.name}\n{pad}  {'& ' if number else ''}{place.atom(guard.cond)}\n"


def _block(body: tuple[Stmt, ...], place: Place, pad: str) -> Iterator[str]:
    for stmt in body:
        match stmt:
            case Assign():
                yield from _assign(stmt, place, pad)
            case If():
                yield from _branch(stmt, place, pad)
            case For(var, looped):
                inner = place.bind(var)
                yield f"{pad}for {inner.loops[var.id]}: {place.types.of(var.sort)} do\n"
                yield from _block(looped, inner, pad + "  ")
                yield f"{pad}end;\n"
            case Note(text):
                told = text.format(*(f"<{show_expr(value)}>" for value in stmt.values))
                yield f"{pad}-- note: {' '.join(told.split())}\n"
            case _:
                assert_never(stmt)


def _assign(stmt: Assign, place: Place, pad: str) -> Iterator[str]:
    value = place.expr(stmt.value)
    if not fits(stmt.value.sort, stmt.var.sort):
        within = bounds(place.atom(stmt.value), stmt.value.sort, stmt.var.sort)
        yield f'{pad}assert {within} "range:{place.where}/{stmt.var.name}";\n'
    yield f"{pad}{place.element(stmt.var, stmt.indices)} := {value};\n"


def _branch(stmt: If, place: Place, pad: str) -> Iterator[str]:
    then, orelse = list(_block(stmt.then, place, pad + "  ")), list(_block(stmt.orelse, place, pad + "  "))
    if not then and not orelse and is_total(stmt.cond):
        return
    yield f"{pad}if {place.expr(stmt.cond)} then\n"
    yield from then
    if orelse:
        yield f"{pad}else\n"
        yield from orelse
    yield f"{pad}end;\n"


def _comment(lines: list[str]) -> str:
    return "".join(f"-- {line}".rstrip() + "\n" for line in lines)


def _field_names(root: Node, names: Names) -> dict[int, str]:
    """The identifier of each field, by its node: those of the root are global, others one record's own."""
    found: dict[int, str] = {}

    def name(node: Node, scope: Names) -> None:
        for field_name, child in node.fields.items():
            found[id(child)] = scope.fresh(field_name)
            name(child, Names(names.reserved))

    name(root, names)
    return found


def _paths(node: Node, names: Mapping[int, str], way: tuple[str, ...]) -> Iterator[tuple[Var, tuple[str, ...]]]:
    """The way to each variable: names of fields, and `[]` for each index."""
    for child in node.fields.values():
        there = (*way, names[id(child)], *("[]" for _ in child.dims))
        if child.var is not None:
            yield child.var, there
        yield from _paths(child, names, there)


def _has_uniform(node: Node) -> bool:
    own = node.var is not None and len(set(node.var.init)) == 1
    return own or any(_has_uniform(child) for child in node.fields.values())


def enum_values(model: Model) -> dict[str, int]:
    """The value that each member of an enumeration stands for, by the name that the text gives it."""
    known = _Writer.of(model).place.types
    sorts = [sort for sort in known.known if isinstance(sort, EnumSort)]
    return {known.members[sort.name, member]: value for sort in sorts for value, member in enumerate(sort.members)}
