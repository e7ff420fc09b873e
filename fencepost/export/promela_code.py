"""Expressions and statements in Promela, which has neither quantifiers nor functions.

An expression becomes statements before it and what is left of it: quantifiers are loops, what can
break an obligation is looked at before it is used, and where `&`, `|` or an if-expression decide
whether something of that kind is evaluated, so do branches. All of it lies within one `d_step`.
The statements need places of their own; each step leaves them at 0, so they make no states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import assert_never

from attrs import define, field

from fencepost.export.naming import Names
from fencepost.export.obligations import fits, is_total
from fencepost.export.promela_state import State, literal
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
from fencepost.ir.show import MIRRORED, show_expr
from fencepost.ir.sorts import Sort, sort_name
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import walk

PAD = "  "


def is_plain(expr: Expr) -> bool:
    """Whether Promela has an expression for it, with nothing before it."""
    return is_total(expr) and not any(isinstance(node, Quantified) for node in walk(expr))


@define
class Places:
    """The places for values on the way, of all steps together: numbered ones, and one a name for loops."""

    names: Names
    temps: list[str] = field(factory=list)
    loops: dict[tuple[str, int], str] = field(factory=dict)

    def temp(self, number: int) -> str:
        while len(self.temps) <= number:
            self.temps.append(self.names.fresh(f"t{len(self.temps) + 1}"))
        return self.temps[number]

    def loop(self, name: str, depth: int) -> str:
        """The place of a loop variable, another one for each depth of nesting under that name."""
        if (name, depth) not in self.loops:
            self.loops[name, depth] = self.names.fresh(name)
        return self.loops[name, depth]


@define
class Code:
    """The statements of one step, as they are written."""

    where: str
    state: State
    places: Places
    params: Mapping[str, str] = field(factory=dict)
    locals: Mapping[Var, tuple[str, Var]] = field(factory=dict)
    lines: list[str] = field(factory=list)
    used: dict[str, None] = field(factory=dict)
    depth: int = 0
    taken: int = 0
    loops: dict[int, str] = field(factory=dict)
    untold: str = ""
    """The statement that prints the step's name, as long as it has not been reached."""

    def put(self, line: str) -> None:
        self.lines.append(PAD * self.depth + line)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Places taken inside are free again afterwards."""
        taken = self.taken
        yield
        self.taken = taken

    def temp(self) -> str:
        name = self.places.temp(self.taken)
        self.taken += 1
        self.used[name] = None
        return name

    @contextmanager
    def loop(self, var: LoopVar) -> Iterator[str]:
        """A loop over all values of a variable, around what is put inside."""
        inside = sum(name.rstrip("0123456789_") == var.name.rstrip("0123456789_") for name in self.loops.values())
        name = self.places.loop(var.name, inside)
        self.used[name] = None
        outer, self.loops = self.loops, {**self.loops, var.id: name}
        self.put(f"for ({name} : {var.sort.lo} .. {var.sort.hi}) {{")
        with self.deeper():
            yield name
        self.put("}")
        self.loops = outer

    def check(self, condition: str, broken: str) -> None:
        """What must hold here; where it does not, the run ends, and its replay says what broke."""
        told = f'{self.untold} printf("broken {broken}\\n");'.lstrip()
        self.put(f"if :: {condition} :: else -> {told} assert(false) fi;")

    # Expressions

    def expr(self, expr: Expr) -> str:  # noqa: PLR0911 - one case a node
        """Put what the expression needs before it; what is left of it, to stand beside any operator."""
        match expr:
            case Const(value, sort):
                return literal(self.state, sort, value)
            case Param(name):
                return self.params[name]
            case LoopVar(id=number):
                return self.loops[number]
            case Read():
                return self._read(expr)
            case Not(Compare(Relation.EQ, left, right)):
                return self._compared("!=", left, right)
            case Not(operand):
                return f"(!{self.expr(operand)})"
            case And(operands):
                return self._lazy(operands, "&&")
            case Or(operands):
                return self._lazy(operands, "||")
            case Compare(relation, left, right):
                return self._compared(relation.value, left, right)
            case Add(left, right):
                return f"({self.expr(left)} + {self.expr(right)})"
            case Sub(left, right):
                return f"({self.expr(left)} - {self.expr(right)})"
            case Ite(cond, then, orelse):
                return self._choice(self.expr(cond), then, orelse)
            case Cast(sort, operand, what):
                return self._checked(operand, sort, what or sort_name(sort))
            case Member(item, of):
                return f"(({self.expr(of)} >> {self.expr(item)}) & 1)"
            case SetWith(of, item, True):
                return f"({self.expr(of)} | (1 << {self.expr(item)}))"
            case SetWith(of, item):
                return f"({self.expr(of)} & ~(1 << {self.expr(item)}))"
            case Quantified():
                return self._quantified(expr)
            case _:
                assert_never(expr)

    def _compared(self, operator: str, left: Expr, right: Expr) -> str:
        if isinstance(left, Const) and not isinstance(right, Const):
            left, right, operator = right, left, MIRRORED[operator]
        return f"({self.expr(left)} {operator} {self.expr(right)})"

    def _read(self, read: Read) -> str:
        element = self.element(read.var, read.indices)
        if read.live is not None:
            told = self.locals[read.var][1] if read.var in self.locals else read.var
            self.check(self.expr(read.live), f"dead:{self.where}/{told.name}")
        return element

    def element(self, var: Var, indices: tuple[Expr, ...]) -> str:
        """A variable's element, or a local's."""
        told = self.locals[var][1] if var in self.locals else var
        places = [
            self._checked(index, dim, f"{told.name}[{dim.name}]") for dim, index in zip(var.dims, indices, strict=True)
        ]
        if var in self.locals:
            return self.state.local(self.locals[var][0], var.dims, places)
        return self.state.element(var, places)

    def _checked(self, expr: Expr, sort: Sort, what: str) -> str:
        text = self.expr(expr)
        if fits(expr.sort, sort):
            return text
        return self._within(text, expr.sort, sort, what)

    def _within(self, text: str, inner: Sort, outer: Sort, what: str) -> str:
        place = self.temp()
        self.put(f"{place} = {text};")
        bounds = [f"{place} >= {outer.lo}"] if inner.lo < outer.lo else []
        bounds += [f"{place} <= {outer.hi}"] if inner.hi > outer.hi else []
        self.check(f"({' && '.join(bounds)})", f"range:{self.where}/{what}")
        return place

    def _lazy(self, operands: tuple[Expr, ...], operator: str) -> str:
        plain = [operand for operand in operands if is_plain(operand)]
        if len(plain) == len(operands):
            return f"({f' {operator} '.join(self.expr(operand) for operand in operands)})"
        result = self.temp()
        first, *rest = operands
        self.put(f"{result} = {self.expr(first)};")
        for operand in rest:
            self.put(f"if\n{PAD * self.depth}:: {result if operator == '&&' else f'!{result}'} ->")
            with self.deeper(), self.statement():
                self.put(f"{result} = {self.expr(operand)};")
            self.put(":: else\n" + PAD * self.depth + "fi;")
        return result

    def _choice(self, cond: str, then: Expr, orelse: Expr) -> str:
        if is_plain(then) and is_plain(orelse):
            return f"({cond} -> {self.expr(then)} : {self.expr(orelse)})"
        result = self.temp()
        self.put(f"if\n{PAD * self.depth}:: {cond} ->")
        with self.deeper(), self.statement():
            self.put(f"{result} = {self.expr(then)};")
        self.put(":: else ->")
        with self.deeper(), self.statement():
            self.put(f"{result} = {self.expr(orelse)};")
        self.put("fi;")
        return result

    def _quantified(self, expr: Quantified) -> str:
        result = self.temp()
        self.put(f"/* {comment(show_expr(expr))} */")
        self.put(f"{result} = {int(expr.quantifier is Quantifier.FORALL)};")
        with self.loop(expr.var), self.statement():
            body = self.expr(expr.body)
            match expr.quantifier:
                case Quantifier.FORALL:
                    self.put(f"{result} = ({result} && {body});")
                case Quantifier.EXISTS:
                    self.put(f"{result} = ({result} || {body});")
                case Quantifier.SUM:
                    self.put(f"{result} = {result} + {body};")
                case _:
                    assert_never(expr.quantifier)
        return result

    # Statements

    def block(self, body: tuple[Stmt, ...]) -> None:
        """The statements in order."""
        for stmt in body:
            with self.statement():
                self._stmt(stmt)

    def _stmt(self, stmt: Stmt) -> None:
        match stmt:
            case Assign(var, indices, value):
                target, text = self.element(var, indices), self.expr(value)
                if not fits(value.sort, var.sort):
                    text = self._within(text, value.sort, var.sort, var.name)
                self.put(f"{target} = {text};")
            case If(cond, then, orelse):
                self._branch(cond, then, orelse)
            case For(var, looped):
                with self.loop(var):
                    self._body(looped)
            case Note(text, values):
                told = text.format(*(f"<{show_expr(value)}>" for value in values))
                self.put(f"/* {comment(told)} */")
            case _:
                assert_never(stmt)

    def _branch(self, cond: Expr, then: tuple[Stmt, ...], orelse: tuple[Stmt, ...]) -> None:
        text = self.expr(cond)
        if not then and not orelse:
            return
        self.put("if")
        self.put(f":: {text} ->")
        with self.deeper():
            self._body(then)
        self.put(":: else ->" if orelse else ":: else")
        if orelse:
            with self.deeper():
                self._body(orelse)
        self.put("fi;")

    def _body(self, body: tuple[Stmt, ...]) -> None:
        """A block that has a statement, whatever is in it."""
        before = len(self.lines)
        self.block(body)
        if all(line.lstrip().startswith("/*") for line in self.lines[before:]):
            self.put("skip;")


def comment(text: str) -> str:
    """The text as it may stand in a comment."""
    return " ".join(text.split()).replace("*/", "* /").replace("/*", "/ *")
