"""Low statements as C source; what an event becomes is the choice of the function around it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import field, frozen, mutable

from fencepost.exec.c_expr import CExpr, is_big
from fencepost.exec.emit_block import Sink
from fencepost.exec.low import Low
from fencepost.exec.low_code import Attempt, Block, Close, Code, Enabled, Event, Fire, Hit, Let, Open, Stopped, When


@mutable
class CBlock:
    """Writes blocks; `expr` collects what they need."""

    expr: CExpr
    sink: Sink
    labels: Iterator[int] = field(factory=itertools.count)

    def lines(self, block: Block, leave: str) -> Iterable[str]:
        """The block's source lines; a broken obligation goes to the label `leave`."""
        for code in block:
            yield from self._code(code, leave)

    def _code(self, code: Code, leave: str) -> Iterable[str]:
        match code:
            case Let(local, value):
                text = self.expr.big(value) if is_big(local) else self.expr.small(value)
                yield f"{self.expr.local(local)} = {text};"
                yield from _leaving(value, leave)
            case When():
                yield from self._when(code, leave)
            case Attempt():
                yield from self._attempt(code)
            case Fire(state=state):
                yield from self.sink.lines(code)
                yield from _leaving(state, leave)
            case Enabled() | Stopped() | Hit() | Open() | Close():
                yield from self.sink.lines(code)
            case _:
                assert_never(code)

    def _when(self, code: When, leave: str) -> Iterable[str]:
        yield "{"
        yield f"i64 c = {self.expr.small(code.cond)};"
        yield from _leaving(code.cond, leave)
        yield "if (c) {"
        yield from self.lines(code.then, leave)
        if code.orelse:
            yield "} else {"
            yield from self.lines(code.orelse, leave)
        yield "}"
        yield "}"

    def _attempt(self, code: Attempt) -> Iterable[str]:
        label = f"l{next(self.labels)}"
        yield "bad = -1;"
        yield from self.lines(code.body, label)
        yield f"{label}:;"
        yield "if (bad >= 0) {"
        yield "int broken = bad;"
        yield "bad = -1;"
        yield from self.sink.broken(code.items, "broken")
        yield from self.lines(code.rescue, "")
        yield "}"


def _leaving(value: Low, leave: str) -> Iterable[str]:
    return (f"if (bad >= 0) goto {leave};",) if value.fails else ()


@frozen
class CStepSink:
    """Hands each step to `fire`, and counts."""

    expr: CExpr
    owner: tuple[int, ...]

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Fire(item, state):
                yield f"x = {self.expr.big(state)};"
                check = "if (bad < 0) " if state.fails else ""
                yield f"{check}fire(o, &x, {item}, {self.owner[item]});"
            case Enabled():
                yield "e = 1;"
            case Stopped():
                yield "o->stopped = 1;"
            case Open():
                yield "e = 0;"
            case Close(action):
                yield f"if (e) {{ o->enabled[{action}]++; o->some = 1; }}"
            case Hit():
                pass
            case _:
                assert_never(event)

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Instances broke the obligation whose number the expression `obligation` gives."""
        return (f"broke(o, {item}, {obligation});" for item in items)


@frozen
class CWatchSink:
    """Tells which watches hit or break."""

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Hit(item):
                return (f"hit(o, {item});",)
            case Enabled() | Stopped() | Fire() | Open() | Close():
                return ()
            case _:
                assert_never(event)

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """A watch broke the obligation whose number the expression `obligation` gives."""
        return (f"watch_broke(o, {obligation});" for _ in items[:1])
