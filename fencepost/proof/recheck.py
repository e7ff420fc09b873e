"""Asking other solvers whether an invariant is one: each in a process of its own, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from multiprocessing.connection import wait
from typing import cast

from attrs import field, frozen, mutable

from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.exec.interpreter import State
from fencepost.processes import Ended, Send, Worker
from fencepost.proof.questions import Asked, Part, Question, text
from fencepost.proof.solvers import CHECKERS, Checker
from fencepost.smt import kernel
from fencepost.smt.kernel import BoolTerm, Term, VectorTerm


@frozen(eq=False)
class Failure:
    """A question to which the answer was yes, and a state that shows it."""

    question: Question
    state: State


@frozen(eq=False)
class Checked:
    """What one solver made of an invariant: it answered every question with no, or failed, or did not decide."""

    checker: Checker
    version: str
    answered: Mapping[Part, int]
    failure: Failure | None = None
    undecided: str = ""

    @property
    def accepted(self) -> bool:
        """Whether every question was answered with no."""
        return self.failure is None and not self.undecided


@frozen
class _Task:
    solver: str
    declared: tuple[str, ...]
    assumed: tuple[str, ...]
    questions: tuple[tuple[bool, str], ...]
    """Whether it is asked without the assumptions (those come first), and the condition."""
    constants: tuple[str, ...]
    milliseconds: int


@frozen
class _Answer:
    """How many questions were answered with no, and what the one after them came to, if there is one."""

    answered: int
    values: tuple[str, ...] | None = None
    undecided: str = ""


@mutable(eq=False)
class _Running:
    checker: Checker
    worker: Worker
    answered: int = 0
    answer: _Answer | None = field(default=None)


def recheck(asked: Asked, checkers: Sequence[Checker], timeout: float | None) -> list[Checked]:
    """Put every question to each solver, in the order given; a solver stops at the first yes."""
    clock = Clock(timeout)
    tasks = {checker.name: _task(asked, checker, timeout) for checker in checkers}
    running = [_Running(checker, Worker.start(_work)) for checker in checkers]
    try:
        for one in running:
            one.worker.give(tasks[one.checker.name])
        _await(running, clock)
    finally:
        for one in running:
            one.worker.process.kill()
            one.worker.dismiss()
    return [_checked(asked, one.checker, one.answer or _Answer(one.answered)) for one in running]


def answers(asked: Asked, checker: Checker) -> Checked:
    """Put every question to one solver in this process, however long that takes."""
    answer = _work(_task(asked, checker, None), lambda _: None)
    return _checked(asked, checker, answer)


def _task(asked: Asked, checker: Checker, timeout: float | None) -> _Task:
    names = tuple(_name(const) for const in asked.system.consts)
    questions = tuple((question.part is Part.INITIATION, question.text) for question in asked.questions)
    limit = 0 if timeout is None else max(1, int(timeout * 1000))
    return _Task(checker.name, asked.declared, tuple(map(text, asked.assumed)), questions, names, limit)


def _name(const: Term) -> str:
    written: str = const.sexpr()  # type: ignore[attr-defined]
    return written


def _await(running: Sequence[_Running], clock: Clock) -> None:
    """Take in answers until all have theirs or the time is over."""
    while waiting := [one for one in running if one.answer is None]:
        ready = wait([one.worker.reports for one in waiting], clock.left)
        if not ready:
            for one in waiting:
                one.answer = _Answer(one.answered, undecided="it gave no answer in its time")
        for one in waiting:
            if one.worker.reports in ready:
                _take(one)


def _take(one: _Running) -> None:
    try:
        report = one.worker.receive()
    except Ended as ended:
        one.answer = _Answer(one.answered, undecided=f"its process {ended}{', for want of memory?' * ended.killed}")
        return
    if isinstance(report, _Answer):
        one.answer = report
    else:
        one.answered = cast("int", report)


def _work(task: object, send: Send) -> _Answer:
    """Ask one solver, in a process of its own; sends how many questions it has answered."""
    job = cast("_Task", task)
    session = CHECKERS[job.solver].begin(job.declared, job.milliseconds)
    with_assumptions = False
    for number, (alone, condition) in enumerate(job.questions):
        if not alone and not with_assumptions:
            for assumption in job.assumed:
                session.assume(assumption)
            with_assumptions = True
        possible = session.possible(condition)
        if isinstance(possible, str):
            return _Answer(number, undecided=possible)
        if possible:
            return _Answer(number, tuple(session.value(name) for name in job.constants))
        session.close()
        send(number + 1)
    return _Answer(len(job.questions))


def _checked(asked: Asked, checker: Checker, answer: _Answer) -> Checked:
    answered: dict[Part, int] = dict.fromkeys(Part, 0)
    for question in asked.questions[: answer.answered]:
        answered[question.part] += 1
    failure = None
    undecided = answer.undecided
    if undecided:
        undecided = f"{undecided} to question {answer.answered + 1} of {len(asked.questions)}"
    if answer.values is not None:
        consts = asked.system.consts
        found = [_literal(const, value) for const, value in zip(consts, answer.values, strict=True)]
        failure = Failure(asked.questions[answer.answered], asked.system.state(found))
    return Checked(checker, checker.version, answered, failure, undecided)


def _literal(const: Term, value: str) -> BoolTerm | VectorTerm:
    """A solver's value of a constant as a term."""
    if isinstance(const, VectorTerm) and value.startswith("#b"):
        return kernel.literal(int(value.removeprefix("#b"), base=2), const.size())
    if value in {"true", "false"}:
        return kernel.truth(value == "true")
    raise InternalError(f"a solver says that {const} is {value}")
