"""The questions about an invariant as one SMT-LIB script, for solvers that are not asked here."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.proof.questions import Asked, Part, Question, text


def script(asked: Asked) -> str:
    """The script; a solver that accepts the invariant answers each `check-sat` with `unsat`."""
    return "\n".join(_lines(asked)) + "\n"


def _lines(asked: Asked) -> Iterator[str]:
    model = asked.system.model
    yield f"; {model.protocol}{f', variant {model.variant}' if model.variant else ''}: every answer must be unsat"
    yield "(set-logic QF_BV)"
    yield from asked.declared
    first = [question for question in asked.questions if question.part is Part.INITIATION]
    for question in first:
        yield from _question(asked, question)
    yield from (f"(assert {text(assumed)})" for assumed in asked.assumed)
    for question in asked.questions:
        if question not in first:
            yield from _question(asked, question)


def _question(asked: Asked, question: Question) -> Iterator[str]:
    model, label = asked.system.model, question.label
    step = "" if label is None else f" {model.action(label[0]).call(label[1])}"
    yield f"; {question.part.value}{step}{f' {question.about}' if question.about else ''}"
    yield from ("(push 1)", f"(assert {question.text})", "(check-sat)", "(pop 1)")
