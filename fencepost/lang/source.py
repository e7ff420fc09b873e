"""The construct of the user's source that is being executed: what a message says to write instead.

Python tells the exact columns of the instruction that a frame is at, so the construct is found in
the syntax tree, not guessed from the text of a line. Where there is no source, nothing is found.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from types import FrameType

from attrs import frozen

from fencepost.errors import Location
from fencepost.lang.location import shown_path


@frozen
class Construct:
    """A syntax node and those around it, the innermost first."""

    file: str
    nodes: tuple[ast.AST, ...]

    @property
    def node(self) -> ast.AST:
        return self.nodes[0]

    @property
    def parent(self) -> ast.AST:
        return self.nodes[1]

    @property
    def is_passed_on(self) -> bool:
        """Whether its value goes into a call or a comprehension, or nowhere."""
        passing = (ast.Call, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Starred, ast.Expr)
        return isinstance(self.parent, passing)

    def at(self, node: ast.stmt) -> Location:
        """Where a statement of the same file is."""
        return Location(self.file, node.lineno)


def construct(frame: FrameType | None) -> Construct | None:
    """The construct that the frame is executing; None if its source is not there."""
    if frame is None:
        return None
    positions = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    tree = _tree("".join(linecache.getlines(frame.f_code.co_filename)))
    if positions is None or tree is None:
        return None
    line, end_line, column, end_column = positions
    if line is None or end_line is None or column is None or end_column is None:
        return None
    found = tuple(_around(tree, ((line, column), (end_line, end_column))))
    return Construct(shown_path(frame.f_code.co_filename), (*reversed(found), tree)) if found else None


def instead_of_truth(frame: FrameType | None) -> str:
    """What to write where Python asks a model expression for its truth."""
    found = construct(frame)
    said = None if found is None else _truth(list(found.nodes))
    return said or "compare with &, | and ~, branch with m.when(...), guard with m.require(...)"


def left_early(found: Construct) -> ast.stmt | None:
    """The first statement of a `with` or `for` body that would leave it before its end.

    `continue` is fine in a `for`, whose body is recorded once, for every turn.
    """
    match found.parent:
        case ast.With(body=body):
            return next(_leaving(body, (ast.Return, ast.Break, ast.Continue)), None)
        case ast.For(body=body):
            return next(_leaving(body, (ast.Return, ast.Break)), None)
        case _:
            return None


@lru_cache(maxsize=64)
def _tree(source: str) -> ast.Module | None:
    try:
        return ast.parse(source) if source else None
    except SyntaxError:
        return None


Point = tuple[int, int]


def _around(node: ast.AST, span: tuple[Point, Point]) -> Iterator[ast.AST]:
    """The nodes below `node` that hold the span, the outermost first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr | ast.stmt):
            start = (child.lineno, child.col_offset)
            end = (child.end_lineno or child.lineno, child.end_col_offset or child.col_offset)
            if start <= span[0] and span[1] <= end:
                yield child
                yield from _around(child, span)
                return
        else:
            yield from _around(child, span)


def _truth(nodes: list[ast.AST]) -> str | None:
    """The remedy for the construct that asks, which is the innermost of these nodes or close around it.

    A Python may say that the asking is done by a whole statement or by the operand of its condition.
    """
    said = _of_operator(nodes[0])
    if isinstance(nodes[0], ast.Compare) and said is not None and len(nodes[0].ops) == 1:
        return said
    for node, parent in pairwise(nodes):
        if (statement := _of_test(node) or _of_test(parent, node)) is not None:
            return statement
        said = said or _of_operator(parent)
        if not isinstance(parent, ast.BoolOp | ast.UnaryOp):
            return said
    return said


def _of_test(node: ast.AST, test: ast.AST | None = None) -> str | None:
    """The remedy if `node` goes one way or another by a condition (by `test`, if that is given)."""
    if test is not None and getattr(node, "test", test) is not test:
        return None
    match node:
        case ast.If():
            return "write `with m.when(...):` instead of `if`, m.require(...) for a guard, .implies(...) in a property"
        case ast.While():
            return "an action is one atomic step: write `for i in m.each(...):`, or several actions, instead of `while`"
        case ast.IfExp():
            return "write ite(c, a, b) instead of `a if c else b`"
        case ast.Assert():
            return "write m.require(...) for a guard, or a property, instead of `assert`"
        case ast.Match():
            return "write `with m.when(...):` instead of `match`"
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return "write count(SomeIndex, lambda i: ...) or ite(...) instead of an `if` in a comprehension"
        case _:
            return None


def _of_operator(node: ast.AST) -> str | None:
    match node:
        case ast.BoolOp(op=ast.And()):
            return "write (a) & (b) instead of `a and b`"
        case ast.BoolOp():
            return "write (a) | (b) instead of `a or b`"
        case ast.UnaryOp(op=ast.Not()):
            return "write ~(a) instead of `not a`"
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "write the_set.has(item) or choice.is_in(...) instead of `in`"
        case ast.Compare(ops=[_, _, *_]):
            return "write (a < b) & (b < c) instead of the chained comparison `a < b < c`"
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            return f"write ite(a < b, a, b) instead of {name}()"
        case ast.Call(func=ast.Name(id="all")):
            return "write forall(SomeIndex, lambda i: ...) instead of all()"
        case ast.Call(func=ast.Name(id="any")):
            return "write exists(SomeIndex, lambda i: ...) instead of any()"
        case _:
            return None


def _leaving(body: Sequence[ast.stmt], kinds: tuple[type[ast.stmt], ...]) -> Iterator[ast.stmt]:
    """Statements of these kinds that leave `body`: not those that belong to a loop or function inside it."""
    for stmt in body:
        if isinstance(stmt, kinds):
            yield stmt
        elif isinstance(stmt, ast.For | ast.While):
            yield from _leaving(stmt.body, tuple(kind for kind in kinds if kind is ast.Return))
        elif not isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                yield from _leaving(getattr(stmt, name, ()), kinds)
            for inner in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
                yield from _leaving(inner.body, kinds)
