"""The solvers that check a certificate, each behind the same two questions: is it possible, and how."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from typing import Any, Protocol

from attrs import frozen


class Session(Protocol):
    """A solver at work on one set of declarations and assumptions."""

    def assume(self, condition: str) -> None:
        """Assume a condition for good."""

    def possible(self, condition: str) -> bool | str:
        """Whether the condition can hold as well; where that is not decided, the reason."""

    def value(self, name: str) -> str:
        """What a constant is, after a condition that can hold: `true`, `false` or `#b...`."""

    def close(self) -> None:
        """Forget the last condition."""


@frozen
class Checker:
    """A solver by name: the package that has it, and how to begin a session."""

    name: str
    package: str

    def missing(self) -> str:
        """Why it cannot be used here; empty if it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"{self.name} is not installed; pip install {self.package}, or fencepost[certify]"
        return ""

    @property
    def version(self) -> str:
        """As its package says."""
        return importlib.metadata.version(self.package)

    def begin(self, declared: Sequence[str], milliseconds: int) -> Session:
        """A session in which each question may take so long (0: no limit)."""
        session: Session = _SESSIONS[self.name](declared, milliseconds)
        return session


CHECKERS: dict[str, Checker] = {name: Checker(name, name) for name in ("cvc5", "bitwuzla")}
"""Those that a certificate is checked with. Neither ever makes one."""


class _Cvc5:
    """cvc5, through its own parser and its own bit blaster."""

    def __init__(self, declared: Sequence[str], milliseconds: int) -> None:
        self._cvc5: Any = importlib.import_module("cvc5")
        self._solver = self._cvc5.Solver(self._cvc5.TermManager())
        for option, value in (("incremental", "true"), ("produce-models", "true"), ("tlimit-per", str(milliseconds))):
            self._solver.setOption(option, value)
        self._parser = self._cvc5.InputParser(self._solver)
        self._language = self._cvc5.InputLanguage.SMT_LIB_2_6
        self._run("(set-logic QF_BV)")
        for line in declared:
            self._run(line)
        self._open = False

    def _run(self, line: str) -> None:
        self._parser.setStringInput(self._language, line, "certificate")
        symbols = self._parser.getSymbolManager()
        while not (command := self._parser.nextCommand()).isNull():
            command.invoke(self._solver, symbols)

    def _term(self, condition: str) -> Any:
        self._parser.setStringInput(self._language, condition, "certificate")
        return self._parser.nextTerm()

    def assume(self, condition: str) -> None:
        self._solver.assertFormula(self._term(condition))

    def possible(self, condition: str) -> bool | str:
        self._solver.push()
        self._open = True
        self._solver.assertFormula(self._term(condition))
        result = self._solver.checkSat()
        if result.isUnknown():
            return f"{result.getUnknownExplanation()}"
        return bool(result.isSat())

    def value(self, name: str) -> str:
        return str(self._solver.getValue(self._term(name)))

    def close(self) -> None:
        if self._open:
            self._solver.pop()
            self._open = False


class _Bitwuzla:
    """Bitwuzla, through its own parser and its own bit blaster."""

    def __init__(self, declared: Sequence[str], milliseconds: int) -> None:
        self._bitwuzla: Any = importlib.import_module("bitwuzla")
        options = self._bitwuzla.Options()
        options.set(self._bitwuzla.Option.PRODUCE_MODELS, True)
        if milliseconds:
            options.set(self._bitwuzla.Option.TIME_LIMIT_PER, milliseconds)
        self._parser = self._bitwuzla.Parser(self._bitwuzla.TermManager(), options)
        self._parser.parse("\n".join(("(set-logic QF_BV)", *declared)), False, False)
        self._solver = self._parser.bitwuzla()
        self._open = False

    def assume(self, condition: str) -> None:
        self._solver.assert_formula(self._parser.parse_term(condition))

    def possible(self, condition: str) -> bool | str:
        self._solver.push(1)
        self._open = True
        self._solver.assert_formula(self._parser.parse_term(condition))
        result = self._solver.check_sat()
        if result is self._bitwuzla.Result.UNKNOWN or str(result) == "unknown":
            return "it gave no answer in its time"
        return str(result) == "sat"

    def value(self, name: str) -> str:
        return str(self._solver.get_value(self._parser.parse_term(name)))

    def close(self) -> None:
        if self._open:
            self._solver.pop(1)
            self._open = False


_SESSIONS: dict[str, Any] = {"cvc5": _Cvc5, "bitwuzla": _Bitwuzla}
