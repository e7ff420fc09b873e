"""Actions and watched conditions as C functions.

An action is one function with a loop for each parameter. A guard is tested in the outermost loop in
which it can be, but never before a guard that comes earlier: what it refuses, stops or breaks, it
does so for all instances inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from attrs import field, mutable

from fencepost.exec.c_body import BEFORE, NOW, Epochs, copy_of, write_body
from fencepost.exec.c_expr import CExpr, Text, literal, require_fit
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.expr import Expr, Param
from fencepost.ir.model import Action, Guard, GuardKind
from fencepost.ir.visit import children


def action_lines(
    action: Action, number: int, first: int, layout: Layout, obligations: dict[str, int]
) -> tuple[str, ...]:
    """The function `act<number>`, which tells of each step of the action's instances; `first` numbers the first."""
    kept: set[int] = set()
    while True:
        before = len(kept)
        writer = _ActionWriter(action, number, first, layout, obligations, Epochs(kept))
        lines = writer.write()
        if len(kept) == before:
            return tuple(lines)


@mutable
class _ActionWriter:
    """Writes one action's function."""

    action: Action
    number: int
    first: int
    layout: Layout
    obligations: dict[str, int]
    epochs: Epochs
    level: int = 0
    """How many parameters have a value."""
    used: set[int] = field(factory=set)
    """The levels whose end is jumped to."""
    expr: CExpr = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expr = CExpr(self.layout, self.action.name, self.obligations, self._leave, self.epochs.source)

    def write(self) -> list[str]:
        for param in self.action.params:
            require_fit(param.sort)
        pending = list(self.action.guards)
        self._guards(pending)
        for at, param in enumerate(self.action.params):
            name = f"p{at}"
            self.expr.names[param.name] = name if param.sort.size > 1 else param.sort.lo
            self.expr.emit(f"for ({name} = {literal(param.sort.lo)}; {name} <= {literal(param.sort.hi)}; {name}++) {{")
            self.level = at + 1
            self._guards(pending)
        self.expr.emit("e = 1;", f"{NOW} = {BEFORE};")
        write_body(self.action.body, self.expr, self.epochs)
        self.expr.emit(f"fire(o, &{NOW}, {self._item()}, {self.number});")
        while self.level:
            self._end()
            self.expr.emit("}")
            self.level -= 1
        self._end()
        return self._framed()

    def _guards(self, pending: list[Guard]) -> None:
        """Test the guards that can be tested here."""
        ready = {param.name for param in self.action.params[: self.level]}
        while pending and params_of(pending[0].cond) <= ready:
            guard = pending.pop(0)
            cond = self.expr.text(guard.cond)
            stopped = "o->stopped = 1; " if guard.kind is GuardKind.BOUND else ""
            if cond != 1:
                self.expr.emit(f"if (!{literal(cond)}) {{ {stopped}{self._jump()} }}")
            self.expr.learn(guard.cond, holds=True)

    def _jump(self) -> str:
        self.used.add(self.level)
        return f"goto n{self.level};"

    def _leave(self, obligation: int) -> str:
        return f"broke(o, {self._item()}, {obligation}); {self._jump()}"

    def _end(self) -> None:
        if self.level in self.used:
            self.expr.emit(f"n{self.level}:;")

    def _item(self) -> str:
        """The number of the instance at hand, or of the first one of those whose outer arguments are chosen."""
        sizes = [param.sort.size for param in self.action.params]
        terms = [str(self.first)]
        for at, param in enumerate(self.action.params[: self.level]):
            if sizes[at] > 1:
                stride = math.prod(sizes[at + 1 :])
                value = f"p{at}" if param.sort.lo == 0 else f"(p{at} - {literal(param.sort.lo)})"
                terms.append(value if stride == 1 else f"{stride} * {value}")
        return f"(int)({' + '.join(terms)})" if terms[1:] else terms[0]

    def _framed(self) -> list[str]:
        names = [f"p{at}" for at in range(len(self.action.params))] + self.expr.temporaries
        states = [NOW, *map(copy_of, sorted(self.epochs.kept))]
        return [
            f"static void act{self.number}(const S *given, Out *o) {{",
            f"const S {BEFORE} = *given;",
            f"S {', '.join(states)};",
            "int e;",
            *([f"i64 {', '.join(names)};"] if names else []),
            f"{_void((BEFORE, *states[1:], *self.expr.temporaries))} e = 0;",
            *self.expr.lines,
            f"if (e) {{ o->enabled[{self.number}]++; o->some = 1; }}",
            "}",
        ]


def _void(names: Iterable[str]) -> str:
    """A use of each, for those that the code may never use."""
    return " ".join(f"(void){name};" for name in names)


def params_of(expr: Expr) -> set[str]:
    """The names of the parameters that an expression mentions."""
    if isinstance(expr, Param):
        return {expr.name}
    return {name for child in children(expr) for name in params_of(child)}


def watch_lines(watch: Watch, number: int, layout: Layout, obligations: dict[str, int]) -> Iterator[str]:
    """The function `watch<number>`, which tells whether the condition is as wanted in the state."""

    def leave(obligation: int) -> str:
        return f"watch_broke(o, {obligation}); return;"

    expr = CExpr(layout, watch.where, obligations, leave, lambda _: BEFORE)
    cond: Text = expr.text(watch.cond)
    yield f"static void watch{number}(const S *given, Out *o) {{"
    yield f"const S {BEFORE} = *given;"
    if expr.temporaries:
        yield f"i64 {', '.join(expr.temporaries)};"
    yield _void((BEFORE, "o", *expr.temporaries))
    yield from expr.lines
    yield f"if ({'' if watch.wanted else '!'}{literal(cond)}) hit(o, {number});"
    yield "}"


def risky(watches: Sequence[Watch], layout: Layout) -> tuple[bool, ...]:
    """For each watch, whether it may break an obligation."""
    result = []
    for number, watch in enumerate(watches):
        broken: dict[str, int] = {}
        tuple(watch_lines(watch, number, layout, broken))
        result.append(bool(broken))
    return tuple(result)
