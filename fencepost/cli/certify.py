"""`verify certify FILE...`: have other solvers check the proofs in certificates, on the models as they are now."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import frozen
from rich.console import Console
from rich.text import Text

from fencepost.cli.console import console_for
from fencepost.cli.options import FOLDER, PATH, one_of, seconds
from fencepost.cli.saving import file_stem, write_files
from fencepost.config import COLOR_CHOICES
from fencepost.errors import UsageError
from fencepost.files import printable
from fencepost.ir.digest import digest
from fencepost.ir.model import Model
from fencepost.proof.certificate import Certificate, as_smtlib, read
from fencepost.proof.clause import Clause, Vocabulary
from fencepost.proof.questions import Asked, Part, ask, bounded_actions, provable
from fencepost.proof.recheck import Checked, recheck
from fencepost.proof.refusal import Refusal, refusal
from fencepost.proof.script import script
from fencepost.proof.solvers import CHECKERS, Checker
from fencepost.registry import find
from fencepost.report import amount
from fencepost.trace.induction import render_induction
from fencepost.verdict import OBLIGATIONS

DEFAULT_TIMEOUT = 300.0


@click.command("certify")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option("--protocol", metavar="NAME|FILE.py", help="Where the protocol is, if it is not installed.")
@click.option(
    "--solver",
    "solvers",
    metavar="NAME",
    multiple=True,
    callback=lambda ctx, param, value: tuple(one_of(*CHECKERS)(ctx, param, name) or "" for name in value),
    help="Only this one; repeatable.  [cvc5 and bitwuzla]",
)
@click.option("--timeout", metavar="S", callback=seconds, help="Seconds for each file; 0: no limit.  [300]")
@click.option(
    "--export",
    metavar="DIR",
    type=FOLDER,
    help="Write the questions there as SMT-LIB, for any other solver.",
)
@click.option("--quiet", is_flag=True, help="A line a file.")
@click.option("--color", metavar="WHEN", callback=one_of(*COLOR_CHOICES), help="always, never or auto.  [auto]")
def certify(
    files: tuple[Path, ...],
    protocol: str | None,
    solvers: tuple[str, ...],
    timeout: float | None,
    export: Path | None,
    quiet: bool,
    color: str | None,
) -> int:
    """Check certificates: proofs for every depth, as --certificate writes them.

    What has to be shown is worked out anew from the model; of the file nothing but the invariant is
    used. Exit codes: 0 every solver accepts every file, 1 a proof is refused, 2 usage or model error
    (a certificate of another model is one), 3 a solver did not decide.
    """
    checkers = [CHECKERS[name] for name in solvers or CHECKERS]
    for checker in checkers:
        if reason := checker.missing():
            raise UsageError(f"{reason}; or choose others with --solver")
    console = console_for(color or "auto")
    limit = DEFAULT_TIMEOUT if timeout is None else timeout or None
    codes = [_certify(file, protocol, checkers, limit, export, console, quiet=quiet) for file in files]
    return 1 if 1 in codes else max(codes)


def _certify(
    file: Path,
    protocol: str | None,
    checkers: list[Checker],
    limit: float | None,
    export: Path | None,
    console: Console,
    *,
    quiet: bool,
) -> int:
    claim = _claim(file, protocol)
    if claim.certificate.maker.tool in {checker.name for checker in checkers}:
        raise UsageError(f"{file}: {claim.certificate.maker.tool} found this proof; choose others with --solver")
    asked = ask(claim.model, claim.invariant, claim.certificate.proves, claim.certificate.bounds)
    if export is not None:
        write_files(export, {f"{file_stem(file.stem)}.smt2": script(asked)})
    found = recheck(asked, checkers, limit)
    refused = [
        (one, refusal(claim.model, claim.invariant, one.failure, one.checker.name)) for one in found if one.failure
    ]
    console.print(_headline(file, found, refused), soft_wrap=True)
    if not quiet:
        for line in _report(claim, asked, found):
            console.print(line, soft_wrap=True)
        for one, what in refused[:1]:
            console.print(f"\n{one.checker.name} found a {_shown(claim.model, what)}", soft_wrap=True)
    return 1 if refused else 0 if all(one.accepted for one in found) else 3


@frozen
class _Claim:
    """A certificate with the model that it is of, and its clauses."""

    certificate: Certificate
    model: Model
    invariant: tuple[Clause, ...]


def _claim(file: Path, protocol: str | None) -> _Claim:
    """Read a certificate and build its model; whatever is not as it should be is a UsageError."""
    made = read(file)
    try:
        entry = find(protocol or made.protocol)
    except UsageError as error:
        hint = "" if protocol is not None else "; say where it is with --protocol FILE.py"
        raise UsageError(f"{file}: {printable(str(error))}{hint}") from error
    if entry.name != made.protocol:
        raise UsageError(f"{file}: it is a certificate of {printable(made.protocol)!r}, not of {entry.name!r}")
    try:
        model = entry.build(variant=made.variant, sizes=dict(made.sizes), features=made.features, without=made.without)
    except UsageError as error:
        raise UsageError(f"{file}: its model cannot be built: {printable(str(error))}") from error
    if digest(model) != made.digest:
        raise UsageError(
            f"{file}: it is of another model: {entry.name} was changed since (digest {digest(model)}, in the file "
            f"{printable(made.digest)}); prove it again"
        )
    return _Claim(made, model, _invariant(file, made, model))


def _invariant(file: Path, made: Certificate, model: Model) -> tuple[Clause, ...]:
    for what, names, known in (
        ("a property", made.proves, (*provable(model), OBLIGATIONS)),
        ("an action with a bound", made.bounds, bounded_actions(model)),
    ):
        for name in names:
            if name not in known:
                raise UsageError(f"{file}: {printable(name)!r} is not {what} of {model.protocol}")
    if not made.proves:
        raise UsageError(f"{file}: it does not say what it proves")
    vocabulary, clauses = Vocabulary.of(model), []
    for number, text in enumerate(made.invariant, 1):
        try:
            clauses.append(vocabulary.read(text))
        except ValueError as error:
            raise UsageError(f"{file}: clause {number}: {printable(str(error))}") from error
    if made.smtlib != tuple(as_smtlib(model, clauses)):
        raise UsageError(f"{file}: its SMT-LIB text is not what its clauses say; prove it again")
    return tuple(clauses)


def _headline(file: Path, found: list[Checked], refused: list[tuple[Checked, Refusal]]) -> Text:
    if refused:
        return Text(f"{file}: REFUSED, {refused[0][1].line}", style="bold red")
    undecided = [one for one in found if one.undecided]
    if undecided:
        return Text(f"{file}: INCONCLUSIVE, {undecided[0].checker.name}: {undecided[0].undecided}", style="yellow")
    return Text(
        f"{file}: ACCEPTED by {' and '.join(f'{one.checker.name} {one.version}' for one in found)}", style="green"
    )


def _report(claim: _Claim, asked: Asked, found: list[Checked]) -> list[str]:
    made, total = claim.certificate, dict.fromkeys(Part, 0)
    for question in asked.questions:
        total[question.part] += 1
    bounds = f"within the model's bounds of {', '.join(made.bounds)}" if made.bounds else "no bound is in the way"
    lines = [
        f"  proves     {', '.join(made.proves)}",
        f"  for        every depth, at these sizes; {bounds}",
        f"  invariant  {amount(len(claim.invariant), 'clause')}, found by {_maker(made)}",
    ]
    for one in found:
        parts = [f"{part.value} {one.answered[part]} of {total[part]}" for part in Part if total[part]]
        lines.append(f"  {one.checker.name:<9}  {', '.join(parts)}{f'; {one.undecided}' if one.undecided else ''}")
    return [printable(line) if len(line) < 300 else line for line in lines]


def _maker(made: Certificate) -> str:
    return f"{made.maker.tool} {made.maker.version} (engine {made.maker.engine})"


def _shown(model: Model, what: Refusal) -> str:
    return render_induction(model, what.state, what.path, what.fails).rstrip("\n")
