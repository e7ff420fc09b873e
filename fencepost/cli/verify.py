"""`verify`: check a protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import frozen
from rich.console import Console

from fencepost.agree import Disagreement
from fencepost.check import Check, Outcome, check
from fencepost.cli.all import OPTIONS as ALL_OPTIONS
from fencepost.cli.all import AllChoices, Share, refuse_other_options, run_all
from fencepost.cli.choosing import MODEL_OPTIONS, ModelChoices, build
from fencepost.cli.console import console_for
from fencepost.cli.explain import explain
from fencepost.cli.listing import print_list, print_version
from fencepost.cli.options import (
    CONFIG,
    ENTRY,
    FILE,
    FOLDER,
    ProtocolCommand,
    above_zero,
    alone,
    given,
    in_a_folder,
    memory,
    one_of,
    seconds,
    sizes_of,
    whole,
)
from fencepost.cli.saving import save, save_certificate, save_disagreement
from fencepost.config import COLOR_CHOICES, DEFAULT_TIMEOUT, ENGINE_CHOICES, Config, parse_memory
from fencepost.engines import CERTIFIERS, Limits
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.ir.symmetry import only, roles
from fencepost.manifest import known, load
from fencepost.names import unknown
from fencepost.others import with_others
from fencepost.progress import ProgressLine
from fencepost.registry import Entry, names
from fencepost.report import print_report
from fencepost.report_github import annotate
from fencepost.report_json import to_json
from fencepost.report_junit import to_junit
from fencepost.report_sarif import to_sarif
from fencepost.verdict import Manner

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("text", "json", "junit", "sarif", "github")

_SEARCHING = ("auto", "explore", "all")
"""The engines that explore, among others or alone."""

EXPECTATIONS = ("holds", "violated", "inconclusive", "vacuous")


@frozen
class Choices:
    """What the command line says, before the settings file and the defaults fill in the rest."""

    model: ModelChoices
    properties: tuple[str, ...]
    engine: str | None
    depth: int | None
    timeout: float | None
    memory: int | None
    threads: int | None
    checkpoint: Path | None
    resume: Path | None
    symmetry: bool
    most: int | None
    expect: str | None
    cover: bool
    json: bool
    format_: str | None
    export: Path | None
    certificate: Path | None
    quiet: bool
    color: str | None
    list_: bool
    explain: str | None
    version: bool


_OPTIONS = (
    *MODEL_OPTIONS[:2],
    click.option("--property", "properties", metavar="NAME", multiple=True, help="Only this property; repeatable."),
    click.option(
        "--engine",
        metavar="NAME",
        callback=one_of(*ENGINE_CHOICES),
        help="explore, bmc, sat, walk; pdr, learn, induction: proofs; all: but proofs; auto: who is first.  [auto]",
    ),
    click.option("--depth", metavar="N", callback=whole, help="Every run of at most N steps.  [until exhausted]"),
    click.option("--timeout", metavar="S", callback=seconds, help="Seconds an engine may take; 0: no limit.  [60]"),
    click.option("--memory", metavar="SIZE", callback=memory, help="Memory an engine may take, as 2GiB.  [no limit]"),
    click.option("--workers", "threads", metavar="N", callback=above_zero, help="Threads of explore.  [one a core]"),
    click.option(
        "--checkpoint",
        metavar="FILE",
        type=FILE,
        callback=in_a_folder,
        help="Keep the search of explore there, to go on with.",
    ),
    click.option("--resume", metavar="FILE", type=FILE, help="Go on with the search kept there, and keep it there."),
    click.option(
        "--symmetry/--no-symmetry",
        help="Count states that differ by names of indices declared symmetric as one.  [no-symmetry]",
    ),
    *MODEL_OPTIONS[2:],
    click.option(
        "--max-violations",
        "most",
        metavar="N",
        callback=above_zero,
        help="Counterexamples of each property, each of another cause.  [1]",
    ),
    click.option("--expect", metavar="WHAT", callback=one_of(*EXPECTATIONS), help="Exit 0 if this comes out, else 1"),
    click.option("--cover", is_flag=True, help="Exit 4 if an action never fires."),
    click.option("--json", is_flag=True, help="The same as --format json."),
    click.option(
        "--format",
        "format_",
        metavar="NAME",
        callback=one_of(*FORMATS),
        help="text, json (docs/json-schema), junit, sarif, or github: text with annotations.  [text]",
    ),
    click.option(
        "--export",
        metavar="DIR",
        type=FOLDER,
        help="Write the report and the traces there.",
    ),
    click.option("--certificate", metavar="FILE", type=FILE, help="Write what was proved there, for verify certify."),
    *ALL_OPTIONS,
    click.option("--quiet", is_flag=True, help="The verdicts alone; with --all, what is not as pinned."),
    click.option("--color", metavar="WHEN", callback=one_of(*COLOR_CHOICES), help="always, never or auto.  [auto]"),
    click.option("--list", "list_", is_flag=True, help="List the protocols, their variants, sizes and properties."),
    click.option("--explain", metavar="NAME", help="Explain a protocol, variant, property or action."),
    click.option("--version", is_flag=True, help="Versions: fencepost, engines, solvers, compilers."),
)


def _options(function: F) -> F:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.group(cls=ProtocolCommand, invoke_without_command=True, no_args_is_help=False)
@_options
@click.pass_context
def verify(ctx: click.Context, /, **options: Any) -> int:
    """Check a protocol: every run of at most N steps, or every reachable state.

    Exit codes: 0 as expected, 1 violated, 2 usage or model error, 3 inconclusive, 4 vacuous,
    70 internal error, 130 interrupted.
    """
    if ctx.invoked_subcommand is not None:
        for name in given(ctx):
            raise UsageError(f"{name} says nothing before {ctx.invoked_subcommand}; put it behind")
        return 0
    config: Config = ctx.meta[CONFIG]
    entry: Entry | None = ctx.meta.get(ENTRY)
    sizes = sizes_of(entry, options)
    of_all = AllChoices.taken_out_of(options)
    choices = Choices(model=ModelChoices.taken_out_of(options), **options)
    console = console_for(choices.color or config.color or "auto")
    if choices.version:
        alone(ctx, "--version", "--color")
        return print_version(console)
    if choices.list_:
        alone(ctx, "--list", "--protocol", "--color")
        return print_list(console, entry)
    if choices.explain is not None:
        alone(ctx, "--explain", "--protocol", "--color")
        return explain(console, choices.explain, entry)
    if of_all.all_:
        return _all(of_all, entry, choices, config, sizes, console)
    if entry is None:
        raise UsageError(f"say what to check: --protocol NAME (known: {', '.join(names())}), or --protocol FILE.py")
    return _check(entry, choices, config, sizes, console)


def _all(
    of_all: AllChoices, entry: Entry | None, choices: Choices, config: Config, sizes: dict[str, int], console: Console
) -> int:
    refuse_other_options(
        {
            "--variant": choices.model.variant is not None,
            "--property": bool(choices.properties),
            "--engine": choices.engine is not None,
            "--depth": choices.depth is not None,
            "--with": bool(choices.model.with_),
            "--without-feature": bool(choices.model.without_feature),
            "--without": bool(choices.model.without),
            "--max-violations": choices.most is not None,
            "--expect": choices.expect is not None,
            "--cover": choices.cover,
            "--json": choices.json,
            "--format": choices.format_ is not None,
            "--export": choices.export is not None,
            "--certificate": choices.certificate is not None,
            "--checkpoint": choices.checkpoint is not None,
            "--resume": choices.resume is not None,
            "--symmetry": choices.symmetry,
            **{f"--{name}": True for name in sizes},
        }
    )
    timeout = config.timeout if choices.timeout is None else choices.timeout
    share = Share(timeout, _limits(choices, config).memory, choices.threads)
    return run_all(of_all, entry, share, console, quiet=choices.quiet)


def _check(entry: Entry, choices: Choices, config: Config, sizes: dict[str, int], console: Console) -> int:
    model = build(entry, choices.model, config, sizes)
    properties = _properties(entry, model, choices.properties)
    if choices.symmetry and not model.symmetric:
        raise UsageError(
            f"{entry.name} declares nothing symmetric: leave out --symmetry, or write Size(..., symmetric=True)"
        )
    if choices.symmetry:
        roles(only(model, properties))
    engine = choices.engine or config.engine or "auto"
    if choices.certificate is not None and engine not in CERTIFIERS:
        raise UsageError(
            f"--engine {engine} writes no certificates; --certificate is for --engine {' or '.join(CERTIFIERS)}"
        )
    _refuse_idle(choices, engine)
    progress = ProgressLine(sys.stderr) if sys.stderr.isatty() and not choices.quiet else None
    pin = load(entry.manifest).of(model)
    try:
        result = check(
            model,
            engine,
            _limits(choices, config),
            properties=properties,
            known=known(pin),
            progress=progress,
        )
    except Disagreement as error:
        raise save_disagreement(error, model, entry, choices.export) from error
    if progress is not None:
        progress.clear()
    if choices.most is not None and result.outcome() is not Outcome.INTERRUPTED:
        result = with_others(result, choices.most)
    return _conclude(entry, choices, result, console)


def _refuse_idle(choices: Choices, engine: str) -> None:
    """Refuse options that would do nothing: nobody should rest on what was not looked at."""
    if choices.depth is not None and engine in CERTIFIERS:
        raise UsageError(f"--engine {engine} proves for every depth; leave out --depth")
    if choices.threads is not None and engine not in _SEARCHING:
        raise UsageError(f"--engine {engine} has no threads; --workers is for explore")
    if choices.cover and engine not in (*_SEARCHING, "walk"):
        raise UsageError(f"--engine {engine} counts no actions; --cover is for explore and walk")
    if choices.json and choices.format_ not in (None, "json"):
        raise UsageError(f"--json is --format json, not --format {choices.format_}; leave one of them out")


def _conclude(entry: Entry, choices: Choices, result: Check, console: Console) -> int:
    outcome = result.outcome(cover=choices.cover)
    code = _exit_code(outcome, choices.expect)
    document = to_json(result, entry.protocol.default, outcome, code)
    if choices.export is not None:
        save(result, document, entry, choices.export)
    if choices.certificate is not None:
        save_certificate(result, choices.certificate)
    default = entry.protocol.default
    match "json" if choices.json else choices.format_ or "text":
        case "json":
            sys.stdout.write(document)
        case "junit":
            sys.stdout.write(to_junit(result, default))
        case "sarif":
            sys.stdout.write(to_sarif(result, default))
        case form:
            print_report(result, console, default=default, quiet=choices.quiet)
            for line in annotate(result, default) if form == "github" else ():
                click.echo(line)
            if choices.expect is not None and code == 1:
                console.print(f"expected: {choices.expect}, found: {outcome.value}")
    return code


def _exit_code(outcome: Outcome, expect: str | None) -> int:
    if expect is None or outcome is Outcome.INTERRUPTED:
        return outcome.exit_code
    return 0 if outcome.value == expect else 1


def _properties(entry: Entry, model: Model, chosen: Sequence[str]) -> tuple[str, ...] | None:
    if not chosen:
        return None
    here = [prop.name for prop in model.properties]
    declared = {definition.name: definition for family in entry.properties for definition in family}
    for name in chosen:
        if name in declared and name not in here:
            needs = ",".join(declared[name].needs)
            raise UsageError(f"property {name!r} says nothing without its features; add --with {needs}")
        if name not in here:
            raise unknown(f"property of {entry.name}", name, here)
    return tuple(name for name in here if name in chosen)


def _limits(choices: Choices, config: Config) -> Limits:
    timeout = next(limit for limit in (choices.timeout, config.timeout, DEFAULT_TIMEOUT) if limit is not None)
    from_config = None if config.memory is None else parse_memory(config.memory)
    return Limits(
        depth=config.depth if choices.depth is None else choices.depth,
        timeout=timeout or None,
        memory=from_config if choices.memory is None else choices.memory,
        manner=_manner(choices, config),
    )


def _manner(choices: Choices, config: Config) -> Manner:
    file = choices.resume or choices.checkpoint
    if choices.resume is not None and choices.checkpoint not in (None, choices.resume):
        raise UsageError("--resume keeps the search where it was kept before; leave out --checkpoint")
    engine = choices.engine or config.engine or "auto"
    if file is not None and engine not in _SEARCHING:
        raise UsageError(f"--engine {engine} has no search to keep; --checkpoint and --resume are for explore")
    if choices.symmetry and engine not in _SEARCHING:
        raise UsageError(f"--engine {engine} looks at no states by themselves; --symmetry is for explore")
    return Manner(choices.threads, file, choices.resume is not None, choices.symmetry)
