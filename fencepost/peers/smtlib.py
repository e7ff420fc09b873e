"""cvc5 and bitwuzla on exported SMT-LIB: at each depth, whether there is a run to each violation.

The answers are bounded: what is not violated was looked for to the depth alone.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from fencepost.export import smtlib
from fencepost.export.flat import flatten
from fencepost.ir.model import Model
from fencepost.peers.seen import Answers
from fencepost.peers.tools import Unusable, call

_BITWUZLA = """
import sys, bitwuzla
options = bitwuzla.Options()
parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
parser.parse(sys.argv[1])
"""
_CVC5 = """
import sys, cvc5
solver = cvc5.Solver()
solver.setOption("incremental", "true")
solver.setOption("bitblast", "eager")
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    sys.stdout.write(command.invoke(solver, symbols))
"""
_PROGRAMS: Mapping[str, str] = {"bitwuzla": _BITWUZLA, "cvc5": _CVC5}

SOLVERS = tuple(sorted(_PROGRAMS))
"""The solvers that read the text; each is a Python package of that name."""

_ASKED = re.compile(r'^"?(?P<name>.+) at (?P<depth>\d+)"?$')


def search(model: Model, solver: str, depth: int, timeout: float) -> Answers:
    """Ask a solver about a model.

    Raises:
        Unusable: the solver is not here, refuses the text, does not know, or took too long.
    """
    return search_text(smtlib.script(flatten(model), depth), solver, depth, timeout)


def search_text(text: str, solver: str, depth: int, timeout: float) -> Answers:
    """The same for a text at hand."""
    if importlib.util.find_spec(solver) is None:
        raise Unusable(f"{solver} is not installed; docs/export.md says where it comes from")
    with tempfile.TemporaryDirectory(prefix=f"fencepost-{solver}-") as name:
        file = Path(name) / "model.smt2"
        file.write_text(text, "utf-8")
        output = call([sys.executable, "-c", _PROGRAMS[solver], str(file)], Path(name), timeout)
    lengths: dict[str, int] = {}
    for asked, at, violated in _answers(output, solver):
        if violated:
            lengths.setdefault(asked, at)
    return Answers(depth, lengths)


def _answers(output: str, solver: str) -> Iterator[tuple[str, int, bool]]:
    """What was asked, at which depth, and whether there is such a run."""
    lines = output.splitlines()
    if len(lines) % 2:
        raise Unusable(f"{solver} leaves a question without an answer: {lines[-1]!r}")
    for line, answer in zip(lines[::2], lines[1::2], strict=True):
        match = _ASKED.match(line)
        if match is None or answer not in {"sat", "unsat"}:
            raise Unusable(f"{solver} says {answer!r} after {line!r}")
        yield match["name"], int(match["depth"]), answer == "sat"
