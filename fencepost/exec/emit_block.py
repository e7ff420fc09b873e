"""Low statements as Python source; what an event becomes is the choice of the function around it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, assert_never

from fencepost.exec.emit_expr import emit
from fencepost.exec.low_code import (
    Attempt,
    Block,
    Close,
    Code,
    Enabled,
    Event,
    Fire,
    Hit,
    Let,
    Open,
    Stopped,
    When,
)

BREACH = "_Breach"
"""The exception class that a broken obligation raises in generated code; `args[0]` is its number."""


class Sink(Protocol):
    """Source lines for what a program tells."""

    def lines(self, event: Event) -> Iterable[str]:
        """An event."""

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Instances or watches broke the obligation whose number the expression `obligation` gives."""


def emit_block(block: Block, sink: Sink, indent: str) -> list[str]:
    """The block's source lines, each beginning with `indent`; never empty."""
    lines = [f"{indent}{line}" for code in block for line in _code(code, sink)]
    return lines or [f"{indent}pass"]


def _code(code: Code, sink: Sink) -> Iterable[str]:
    match code:
        case Let(local, value):
            return (f"{local.name} = {emit(value)}",)
        case When():
            return _when(code, sink)
        case Attempt(body, items, rescue):
            handler = (*sink.broken(items, "b.args[0]"), *(emit_block(rescue, sink, "") if rescue else ()))
            return (
                "try:",
                *emit_block(body, sink, " "),
                f"except {BREACH} as b:",
                *(f" {line}" for line in handler or ("pass",)),
            )
        case Enabled() | Stopped() | Fire() | Hit() | Open() | Close():
            return sink.lines(code)
        case _:
            assert_never(code)


def _when(code: When, sink: Sink) -> Iterable[str]:
    if not code.then and code.orelse:
        return (f"if not ({emit(code.cond)}):", *emit_block(code.orelse, sink, " "))
    lines = [f"if {emit(code.cond)}:", *emit_block(code.then, sink, " ")]
    if code.orelse:
        lines += ["else:", *emit_block(code.orelse, sink, " ")]
    return lines
