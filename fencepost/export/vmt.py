"""VMT-LIB: the functions of SMT-LIB over free names, with the annotations that make them a transition system."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.export.flat import Flat, flatten
from fencepost.export.formats import Exported
from fencepost.export.header import header_lines, left_out
from fencepost.export.smt_text import literal, sort, symbol, text
from fencepost.export.smtlib import STEP, Writer
from fencepost.ir.model import Model
from fencepost.verdict import OBLIGATIONS


def export(model: Model) -> Exported:
    """The model as one transition system; properties are numbered as they come."""
    return Exported("\n".join(_lines(flatten(model))) + "\n")


def _lines(flat: Flat) -> Iterator[str]:
    writer = Writer(flat, {element.name: element.width for element in flat.elements}, free=True)
    yield from (f"; {line}" for line in header_lines(flat.model))
    yield from (f"; {line}" for line in left_out(flat.model, "a live property of VMT-LIB knows no fairness"))
    yield ""
    yield "; The state"
    for element in flat.elements:
        name, later, kind = symbol(element.name), symbol(f"{element.name}'"), sort(element.width)
        yield f"(declare-fun {name} () {kind}) ; {element.means}"
        yield f"(declare-fun {later} () {kind})"
        yield f"(define-fun {symbol(f'{element.name} and next')} () {kind} (! {name} :next {later}))"
    yield ""
    yield "; The number of the step that is taken: an input"
    yield f"(declare-fun {symbol(STEP)} () {sort(flat.width)})"
    yield ""
    start = "\n".join(f"  (= {symbol(e.name)} {literal(e.width, e.start)})" for e in flat.elements)
    yield f"(define-fun {symbol('Init')} () Bool (! (and true\n{start}) :init true))"
    yield from writer.steps()
    yield ""
    yield "; What becomes of each element: what the chosen step makes of it, else it stays."
    for element in flat.elements:
        if element.next:
            body = writer.element(element)
            yield f"(define-fun {symbol(f'next {element.name}')} () {sort(element.width)}\n  {body})"
    yield ""
    yield f"(define-fun {symbol('Trans')} () Bool (! {writer.relation()} :trans true))"
    yield from _properties(flat)


def _properties(flat: Flat) -> Iterator[str]:
    for number, asked in enumerate(flat.asked):
        yield ""
        yield f"; {' '.join(asked.statement.split())}"
        yield f"(define-fun {symbol(asked.name)} () Bool (! {text(asked.holds)} :invar-property {number}))"
    breaks = [
        f"(not {symbol(f'{move.name} breaks an obligation')})" for move in flat.moves if move.breaks.op != "false"
    ]
    if flat.breaks.op != "false":
        breaks.append(f"(not {text(flat.breaks)})")
    if breaks:
        yield ""
        yield "; No step that can be chosen, and no property, takes an index or a value out of its range."
        body = "\n  ".join(breaks)
        yield f"(define-fun {symbol(OBLIGATIONS)} () Bool (! (and true\n  {body}) :invar-property {len(flat.asked)}))"
