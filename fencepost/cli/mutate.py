"""`verify mutate`: whether a protocol's properties notice a small mistake in it."""

from __future__ import annotations

import os
from typing import Any

import click
from attrs import evolve, frozen

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.options import ENTRY, ModelCommand, above_zero, alone, seconds, whole
from fencepost.cli.saving import write_files
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.mutate.crew import MOST, Setting, ground_of, run_mutants
from fencepost.mutate.data import to_json
from fencepost.mutate.hunt import Fate, Result
from fencepost.mutate.mutant import SCORED, Operator
from fencepost.mutate.operators import mutants, sample
from fencepost.mutate.page import page
from fencepost.mutate.pinned import Pinned, beside, dump, load
from fencepost.mutate.score import Mutation
from fencepost.mutate.text import render, told_score
from fencepost.names import require_known
from fencepost.registry import Entry, find, names
from fencepost.report import amount

SECONDS = 60.0

_OPTIONS = (
    *MODEL_OPTIONS,
    click.option("--operator", "operators", metavar="NAME", multiple=True, help="Only this operator; repeatable."),
    click.option("--depth", metavar="N", callback=whole, help="Runs of at most N steps.  [until exhausted]"),
    click.option("--most", metavar="N", callback=above_zero, help=f"States the original may have.  [{MOST}]"),
    click.option("--sample", metavar="N", callback=above_zero, help="At most N mutants, the same on every machine."),
    click.option("--jobs", metavar="N", callback=above_zero, help="Processes.  [one a core]"),
    click.option("--timeout", metavar="S", callback=seconds, help=f"Seconds a mutant.  [{SECONDS:g}]"),
    click.option("--json", is_flag=True, help="As JSON (docs/json-schema/mutation-1.json)."),
    click.option("--pinned", is_flag=True, help="As it is pinned in mutation.toml: compare with that."),
    click.option("--update", is_flag=True, help="Pin what was found."),
    click.option("--markdown", is_flag=True, help="Of all that is pinned, the page docs/mutation.md."),
)


def _options(function: Any) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@frozen
class How:
    """Which mutants, how far, and how many at a time."""

    operators: tuple[Operator, ...] = SCORED
    depth: int | None = None
    most: int = MOST
    sample: int | None = None
    jobs: int = 1
    seconds: float = SECONDS

    @classmethod
    def taken_out_of(cls, options: dict[str, Any]) -> How:
        """Take these choices out of the command's options."""
        asked = options.pop("operators")
        for name in asked:
            require_known("operator", name, [operator.value for operator in Operator])
        chosen = tuple(operator for operator in Operator if operator.value in asked) or SCORED
        most, jobs, limit = options.pop("most"), options.pop("jobs"), options.pop("timeout")
        return cls(
            chosen,
            options.pop("depth"),
            most or MOST,
            options.pop("sample"),
            jobs or os.cpu_count() or 1,
            SECONDS if limit is None else limit or float("inf"),
        )


@click.command("mutate", cls=ModelCommand)
@_options
@click.pass_context
def mutate(ctx: click.Context, /, **options: Any) -> int:
    """Make small mistakes in a protocol, one at a time, and see whether a property notices.

    Exit codes: 0 every mutant that differs is killed (or all is as pinned), 1 one survived (or something is not as
    pinned), 2 usage or model error, 3 one timed out, 130 interrupted.
    """
    if options.pop("markdown"):
        alone(ctx, "--markdown")
        click.echo(page(_all_pinned()), nl=False)
        return 0
    if options["pinned"]:
        alone(ctx, "--pinned", "--protocol", "--operator", "--most", "--jobs", "--timeout", "--update")
    as_json, pinned, update = options.pop("json"), options.pop("pinned"), options.pop("update")
    how = How.taken_out_of(options)
    entry: Entry | None = ctx.meta.get(ENTRY)
    if pinned:
        if entry is None:
            raise UsageError("say what to mutate: --protocol NAME")
        return _again(entry, how, update=update)
    model = chosen_model(ctx, options)
    assert entry is not None
    found = run(model, how)
    if update:
        _write(
            entry, Pinned(entry.name, dict(model.sizes), model.features, model.variant, how.depth, how.sample), found
        )
    code = _exit_code(found)
    if as_json:
        click.echo(to_json(found, entry.protocol.default, code), nl=False)
    else:
        click.echo("\n".join(render(found, entry.protocol.default)))
    return code


def run(model: Model, how: How) -> Mutation:
    """Run the mutants of a model."""
    setting = Setting.of(model, how.depth, how.most, how.seconds)
    every = mutants(model, how.operators)
    chosen = sample(every, how.sample)
    if not chosen:
        raise UsageError("there is no such mutant of this model")
    ground = ground_of(setting)
    done: list[Result] = []
    try:
        results = run_mutants(setting, chosen, how.jobs, done.append)
    except KeyboardInterrupt:
        if not done:
            raise
        survived = sum(result.fate is Fate.SURVIVED for result in done)
        told = f"of {len(done)} {survived} survived; nothing of it is kept"
        raise KeyboardInterrupt(f"interrupted after {len(done)} of {amount(len(chosen), 'mutant')}; {told}") from None
    return Mutation(
        model,
        how.depth,
        len(every),
        chosen,
        results,
        len(ground.marked),
        len(ground.levels) - 1,
        ground.complete,
        tuple(sorted(setting.violated)),
    )


def _exit_code(found: Mutation) -> int:
    fates = {result.fate for result in found.results}
    return 1 if Fate.SURVIVED in fates else 3 if Fate.TIMED_OUT in fates else 0


def _again(entry: Entry, how: How, *, update: bool) -> int:
    """Run what is pinned of a protocol, and compare."""
    mine = [pin for pin in load(entry.manifest) if pin.protocol == entry.name]
    if not mine:
        raise UsageError(f"no mutation of {entry.name} is pinned; run it with --update first")
    differs = False
    for pin in mine:
        model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
        found = run(model, evolve(how, depth=pin.depth, sample=pin.sample))
        lines = pin.differences(pin.now(found))
        click.echo(f"{entry.name}: {told_score(found.tally)}; {'; '.join(lines) or 'as pinned'}")
        differs = differs or bool(lines)
        if update:
            _write(entry, pin, found)
    return int(differs and not update)


def _write(entry: Entry, pin: Pinned, found: Mutation) -> None:
    path = beside(entry.manifest)
    if path is None:
        raise UsageError(f"{entry.name} has no manifest to pin beside; make an empty one first (docs/manifest.md)")
    was = {one.protocol: one for one in load(entry.manifest)}
    old = was.get(pin.protocol)
    new = pin.now(found)
    was[pin.protocol] = evolve(new, why=new.why or ("" if old is None else old.why))
    write_files(path.parent, {path.name: dump(list(was.values()))})


def _all_pinned() -> list[Pinned]:
    found: dict[str, Pinned] = {}
    for name in names():
        found |= {pin.protocol: pin for pin in load(find(name).manifest)}
    return [found[name] for name in sorted(found)]
