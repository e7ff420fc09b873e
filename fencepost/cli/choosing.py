"""Which model a command is about: the options that choose it, and building it."""

from __future__ import annotations

from typing import Any

import click
from attrs import frozen

from fencepost.cli.options import CONFIG, ENTRY, sizes_of
from fencepost.config import Config
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.names import require_known
from fencepost.registry import Entry, names

MODEL_OPTIONS = (
    click.option("--protocol", metavar="NAME|FILE.py", help="What to check: an installed protocol, or your own file."),
    click.option("--variant", metavar="NAME", help="A named difference from the protocol."),
    click.option("--with", "with_", metavar="F,G", multiple=True, help="Switch optional features on."),
    click.option("--without-feature", metavar="F,G", multiple=True, help="Switch optional features off."),
    click.option(
        "--without", metavar="ACTION:GUARD", multiple=True, help="Switch a guard off: what is this check for?"
    ),
)
"""The first two name the protocol and its variant."""


@frozen
class ModelChoices:
    """What the command line says of the model; sizes are apart, since each protocol has its own."""

    variant: str | None = None
    with_: tuple[str, ...] = ()
    without_feature: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @classmethod
    def taken_out_of(cls, options: dict[str, Any]) -> ModelChoices:
        """Take these choices, and the protocol's name, out of a command's options."""
        del options["protocol"]
        return cls(*(options.pop(name) for name in ("variant", "with_", "without_feature", "without")))


def chosen_model(ctx: click.Context, options: dict[str, Any]) -> Model:
    """The model that a command with `MODEL_OPTIONS` was given; its choices are taken out of `options`.

    Raises:
        UsageError: none was named.
    """
    entry: Entry | None = ctx.meta.get(ENTRY)
    sizes = sizes_of(entry, options)
    if entry is None:
        raise UsageError(f"say which model: --protocol NAME (known: {', '.join(names())}), or --protocol FILE.py")
    return build(entry, ModelChoices.taken_out_of(options), ctx.meta[CONFIG], sizes)


def build(entry: Entry, choices: ModelChoices, config: Config, sizes: dict[str, int]) -> Model:
    """The model; the settings file fills in sizes that were not given.

    Raises:
        UsageError: there is no such variant, feature, action or guard, or the protocol cannot take the sizes.
    """
    model = entry.build(
        variant=choices.variant,
        sizes={**config.sizes.get(entry.name, {}), **sizes},
        features=_features(entry, choices),
    )
    pairs = [_action_and_guard(text) for text in choices.without]
    if not pairs:
        return model
    for action, guard in pairs:
        require_known(f"action of {entry.name}", action, [known.name for known in model.actions])
        require_known(f"guard of {action}", guard, [known.name for known in model.action(action).guards])
    return entry.build(
        variant=choices.variant,
        sizes=dict(model.sizes),
        features=model.features,
        without=[f"{action}:{guard}" for action, guard in pairs],
    )


def _action_and_guard(text: str) -> tuple[str, str]:
    action, colon, guard = text.partition(":")
    if not colon:
        raise UsageError(f"--without {text}: write ACTION:GUARD")
    return action, guard


def _features(entry: Entry, choices: ModelChoices) -> list[str] | None:
    """The protocol's own choice of features with those switched on and off; None if none was."""
    on = [name for text in choices.with_ for name in text.split(",") if name]
    off = [name for text in choices.without_feature for name in text.split(",") if name]
    if not on and not off:
        return None
    for name in (*on, *off):
        require_known(f"feature of {entry.name}", name, [feature.name for feature in entry.protocol.features])
    return sorted({*entry.features(choices.variant), *on} - set(off))
