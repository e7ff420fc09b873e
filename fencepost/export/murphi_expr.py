"""Expressions in Murphi: quantifiers and obligations that an expression cannot say become functions.

Murphi's `&`, `|` and `?:` evaluate only what decides, as ours do; its `forall` and `exists` may stop
early, so they stand only for those in which nothing can break.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from attrs import evolve, field, frozen, mutable

from fencepost.export.murphi_types import Types, literal
from fencepost.export.naming import Names
from fencepost.export.obligations import fits, is_total
from fencepost.ir.expr import (
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Member,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.show import MIRRORED, ONE, ZERO, Binding, show_expr
from fencepost.ir.sorts import Sort
from fencepost.ir.visit import walk

_FOLDS = {Quantifier.FORALL: "all", Quantifier.EXISTS: "some", Quantifier.SUM: "sum"}


@mutable
class Functions:
    """The functions that expressions needed so far, each once, in the order in which they were needed."""

    types: Types
    names: Names
    texts: list[str] = field(factory=list)
    known: dict[object, str] = field(factory=dict)

    def checked(self, value: Sort, within: Sort, obligation: str, stem: str) -> str:
        """The function that gives its argument back if it lies within a sort, and else fails by that name."""
        key = (value.lo, value.hi, within, obligation)
        if key not in self.known:
            name = self.known[key] = self.names.fresh(stem)
            self.texts.append(
                f"function {name}(value: {value.lo}..{value.hi}): {self.types.of(within)};\nbegin\n"
                f'  assert {bounds("value", value, within)} "{obligation}";\n  return value;\nend;\n'
            )
        return self.known[key]

    def dead(self, sort: Sort, obligation: str, stem: str) -> str:
        """The function that stands for the value of a field that is dead: it fails."""
        key = (sort, obligation)
        if key not in self.known:
            name = self.known[key] = self.names.fresh(stem)
            self.texts.append(
                f"function {name}(): {self.types.of(sort)};\nbegin\n"
                f'  error "{obligation}";\n  return {literal(self.types, sort, sort.zero)};\nend;\n'
            )
        return self.known[key]

    def fold(self, expr: Quantified, given: Sequence[tuple[str, str]], inner: Place) -> str:
        """The function that goes through all values of a quantifier's variable."""
        var = inner.loops[expr.var.id]
        body = inner.atom(expr.body)
        word = "count" if _counts(expr) else _FOLDS[expr.quantifier]
        key = (word, tuple(given), self.types.of(expr.var.sort), var, body)
        if key not in self.known:
            name = self.known[key] = self.names.fresh(f"{word}_{expr.var.name}")
            taken = self.names.inner()
            for shown in (*(shown for shown, _ in given), var):
                taken.fresh(shown)
            result = taken.fresh("total" if expr.quantifier is Quantifier.SUM else "holds")
            kind, start, turn = self._turn(expr, result, body)
            params = "; ".join(f"{shown}: {sort}" for shown, sort in given)
            self.texts.append(
                f"-- {show_expr(expr)}\nfunction {name}({params}): {kind};\nvar {result}: {kind};\nbegin\n"
                f"  {result} := {start};\n  for {var}: {self.types.of(expr.var.sort)} do\n    {turn}\n  end;\n"
                f"  return {result};\nend;\n"
            )
        return self.known[key]

    def _turn(self, expr: Quantified, result: str, body: str) -> tuple[str, str, str]:
        match expr.quantifier:
            case Quantifier.FORALL:
                return "boolean", "true", f"if !{body} then {result} := false; end;"
            case Quantifier.EXISTS:
                return "boolean", "false", f"if {body} then {result} := true; end;"
            case Quantifier.SUM:
                n, sort = expr.var.sort.size, expr.body.sort
                return f"{min(0, n * sort.lo)}..{max(0, n * sort.hi)}", "0", f"{result} := {result} + {body};"
            case _:
                assert_never(expr.quantifier)


@frozen
class Place:
    """Where an expression stands: what it belongs to, and how what it refers to is called there.

    `locals` maps each local to its name, and to the variable that it remembers.
    """

    where: str
    functions: Functions
    paths: Mapping[Var, tuple[str, ...]]
    names: Names
    params: Mapping[str, str] = field(factory=dict)
    loops: Mapping[int, str] = field(factory=dict)
    locals: Mapping[Var, tuple[str, Var]] = field(factory=dict)

    @property
    def types(self) -> Types:
        return self.functions.types

    def bind(self, var: LoopVar) -> Place:
        """Inside a loop or quantifier: its variable has a name that nothing else in scope has."""
        names = self.names.inner()
        return evolve(self, names=names, loops={**self.loops, var.id: names.fresh(var.name)})

    def expr(self, expr: Expr) -> str:
        """The expression, to stand alone or within a statement."""
        return self._text(expr)[0]

    def atom(self, expr: Expr) -> str:
        """The expression, to stand beside any operator."""
        return self._within(expr, Binding.ATOM)

    def element(self, var: Var, indices: tuple[Expr, ...]) -> str:
        """A variable's element, or a local's."""
        told = [self._index(var, dim, index) for dim, index in zip(var.dims, indices, strict=True)]
        if var in self.locals:
            return self.locals[var][0] + "".join(f"[{index}]" for index in told)
        text = ""
        for part in self.paths[var]:
            text += f"[{told.pop(0)}]" if part == "[]" else f".{part}" if text else part
        return text

    def _index(self, var: Var, dim: Sort, index: Expr) -> str:
        if fits(index.sort, dim):
            return self.expr(index)
        told = self.locals[var][1] if var in self.locals else var
        return self._checked(index, dim, f"{told.name}[{self.types.name(dim)}]", f"as_{self.types.name(dim)}")

    def _checked(self, expr: Expr, sort: Sort, what: str, stem: str) -> str:
        name = self.functions.checked(expr.sort, sort, f"range:{self.where}/{what}", f"{stem}_in_{self.where}")
        return f"{name}({self.expr(expr)})"

    def _within(self, expr: Expr, least: Binding) -> str:
        text, binding = self._text(expr)
        return text if binding >= least else f"({text})"

    def _text(self, expr: Expr) -> tuple[str, Binding]:  # noqa: PLR0911 - one case a node
        match expr:
            case Const(value, sort):
                return literal(self.types, sort, value), Binding.ATOM
            case Param(name):
                return self.params[name], Binding.ATOM
            case LoopVar(id=number):
                return self.loops[number], Binding.ATOM
            case Read(var, indices):
                return self._read(expr, self.element(var, indices)), Binding.ATOM
            case Not() | And() | Or() | Compare():
                return self._condition(expr)
            case Add(left, right):
                return f"{self._within(left, Binding.SUM)} + {self._within(right, Binding.ATOM)}", Binding.SUM
            case Sub(left, right):
                return f"{self._within(left, Binding.SUM)} - {self._within(right, Binding.ATOM)}", Binding.SUM
            case Ite(cond, then, orelse):
                parts = (self._within(part, Binding.COMPARE) for part in (cond, then, orelse))
                return "({} ? {} : {})".format(*parts), Binding.ATOM
            case Cast(sort, operand, what):
                if fits(operand.sort, sort):
                    return self._text(operand)
                name = self.types.name(sort)
                return self._checked(operand, sort, what or self.types.shown(sort), f"as_{name}"), Binding.ATOM
            case Member(item, of):
                return f"{self.types.set_function(of.sort, 'has')}({self.expr(of)}, {self.expr(item)})", Binding.ATOM
            case SetWith(of, item, present):
                word = "adding" if present else "removing"
                return f"{self.types.set_function(of.sort, word)}({self.expr(of)}, {self.expr(item)})", Binding.ATOM
            case Quantified():
                return self._quantified(expr), Binding.ATOM
            case _:
                assert_never(expr)

    def _read(self, read: Read, element: str) -> str:
        if read.live is None:
            return element
        var = self.locals[read.var][1] if read.var in self.locals else read.var
        dead = self.functions.dead(
            var.sort, f"dead:{self.where}/{var.name}", f"dead_{self.types.field(var)}_in_{self.where}"
        )
        return f"({self._within(read.live, Binding.COMPARE)} ? {element} : {dead}())"

    def _condition(self, expr: Not | And | Or | Compare) -> tuple[str, Binding]:
        match expr:
            case Not(Compare(Relation.EQ, left, right)):
                return self._compared("!=", left, right)
            case Not(Compare(Relation.LT, left, right)):
                return self._compared(">=", left, right)
            case Not(Compare(Relation.LE, left, right)):
                return self._compared(">", left, right)
            case Not(operand):
                return f"!{self._within(operand, Binding.ATOM)}", Binding.NOT
            case And(operands):
                return " & ".join(self._within(each, Binding.NOT) for each in operands), Binding.AND
            case Or((Not(first), *rest)) if rest:
                then = rest[0] if len(rest) == 1 else Or(tuple(rest))
                return f"{self._within(first, Binding.NOT)} -> {self._within(then, Binding.NOT)}", Binding.IMPLIES
            case Or(operands):
                return " | ".join(self._within(each, Binding.NOT) for each in operands), Binding.OR
            case Compare(Relation.EQ, left, right):
                return self._compared("=", left, right)
            case Compare(relation, left, right):
                return self._compared(relation.value, left, right)
            case _:
                assert_never(expr)

    def _compared(self, operator: str, left: Expr, right: Expr) -> tuple[str, Binding]:
        if isinstance(left, Const) and not isinstance(right, Const):
            left, right, operator = right, left, MIRRORED.get(operator, operator)  # `=` is its own mirror image
        text = f"{self._within(left, Binding.SUM)} {operator} {self._within(right, Binding.SUM)}"
        return text, Binding.COMPARE

    def _quantified(self, expr: Quantified) -> str:
        inner = self.bind(expr.var)
        if expr.quantifier is not Quantifier.SUM and is_total(expr.body):
            var, sort = inner.loops[expr.var.id], self.types.of(expr.var.sort)
            return f"{expr.quantifier.value} {var}: {sort} do {inner.expr(expr.body)} end"
        given = [(name, sort) for name, sort, _ in self._free(expr)]
        name = self.functions.fold(expr, given, inner)
        return f"{name}({', '.join(name for name, _, _ in self._free(expr))})"

    def _free(self, expr: Expr) -> list[tuple[str, str, object]]:
        """What the expression refers to that only this place knows: name, type, and the thing itself."""
        found: dict[object, tuple[str, str, object]] = {}
        bound = {node.var.id for node in walk(expr) if isinstance(node, Quantified)}
        for node in walk(expr):
            match node:
                case Param(name, sort):
                    found.setdefault(name, (self.params[name], self.types.of(sort), node))
                case LoopVar(id=number, sort=sort) if number not in bound:
                    found.setdefault(number, (self.loops[number], self.types.of(sort), node))
                case Read(var=var) if var in self.locals:
                    found.setdefault(var, (self.locals[var][0], self.types.array(var.dims, var.sort), node))
                case _:
                    pass
        return list(found.values())


def bounds(value: str, inner: Sort, outer: Sort) -> str:
    """The condition that a value lies within a range, as far as that is not known; empty if it is."""
    parts = [f"{value} >= {outer.lo}"] if inner.lo < outer.lo else []
    parts += [f"{value} <= {outer.hi}"] if inner.hi > outer.hi else []
    return " & ".join(parts)


def _counts(expr: Quantified) -> bool:
    return isinstance(expr.body, Ite) and (expr.body.then, expr.body.orelse) == (ONE, ZERO)
