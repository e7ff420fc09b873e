"""How a protocol becomes a model: its state flattened, its actions recorded, its properties read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from fencepost.errors import ModelError, UsageError
from fencepost.ir import expr as ir
from fencepost.ir.check import check
from fencepost.ir.constants import fold_unassigned
from fencepost.ir.digest import digest
from fencepost.ir.model import Action, Model
from fencepost.ir.symmetry import roles
from fencepost.lang.annotations import Parameter, annotated
from fencepost.lang.definitions import ActionDefinition, Variant
from fencepost.lang.given_back import check_given_back
from fencepost.lang.liveness import check_start
from fencepost.lang.location import calling
from fencepost.lang.properties import Properties
from fencepost.lang.recorder import Recorder
from fencepost.lang.records import Place
from fencepost.lang.scope import Build, building, index_sort
from fencepost.lang.start import started
from fencepost.lang.step import Chosen, Settings, Step
from fencepost.sources import marked

if TYPE_CHECKING:
    from fencepost.lang.protocol import Protocol


@frozen
class Choice:
    """What a build is of: the variant (None for the default), every size, and the features that are in."""

    variant: str | None
    counts: Mapping[str, int]
    features: frozenset[str]

    @classmethod
    def of(
        cls, protocol: Protocol, variant: Variant | None, sizes: Mapping[str, int], features: Collection[str] | None
    ) -> Choice:
        """The user's choices, completed by the variant's and then the protocol's own.

        Raises:
            UsageError: an unknown name, or a size out of its bounds.
        """
        if features is None and variant is not None:
            features = variant.features
        return cls(
            None if variant is None else variant.name,
            _counts(protocol, variant, sizes),
            _features(protocol, features),
        )


def assemble(
    protocol: Protocol,
    choice: Choice,
    properties: Collection[Properties],
    without: Collection[str],
    check_variant: Callable[[str, str], None],
) -> Model:
    """The model of one choice.

    `check_variant` is told the digests of what a variant means and of what the protocol means
    without it, at the same sizes and features.

    Raises:
        UsageError: a guard to leave out that is not there.
        ModelError: the protocol or a property is written wrongly.
    """
    with building(_build(protocol, choice)):
        variables, recorded = _recorded(protocol, choice)
        actions = _without(recorded, without)
        settings = Settings(_chosen(protocol, choice))
        model = Model(
            protocol.name,
            choice.variant,
            tuple(choice.counts.items()),
            tuple(sorted(choice.features)),
            tuple(variables.values()),
            actions,
            tuple(p for family in properties for p in family.build(protocol.state, variables, settings, actions)),
            tuple(sorted(without)),
            tuple(size.index.__name__ for size in protocol.sizes if size.symmetric),
            tuple(
                lemma
                for family in properties
                for lemma in family.build_lemmas(protocol.state, variables, settings, actions)
            ),
        )
    check(model)
    if choice.variant is None:  # a variant may forget what it likes
        check_given_back(protocol.state, recorded)
    else:
        plain = evolve(choice, variant=None)
        with building(_build(protocol, plain)):
            check_variant(_meaning(variables, recorded), _meaning(*_recorded(protocol, plain)))
    folded = fold_unassigned(model)
    if not protocol.extends:  # else, and of properties, it is a matter of who asks for symmetry
        roles(evolve(folded, properties=()))
    return folded


def _meaning(variables: Mapping[str, ir.Var], actions: tuple[Action, ...]) -> str:
    return digest(Model("", None, (), (), tuple(variables.values()), actions))


def _build(protocol: Protocol, choice: Choice) -> Build:
    return Build({size.index: choice.counts[size.name] for size in protocol.sizes})


def _chosen(protocol: Protocol, choice: Choice) -> Chosen:
    features = [feature.name for feature in protocol.features]
    return Chosen(choice.variant, choice.features, protocol.known_variants, features)


def _recorded(protocol: Protocol, choice: Choice) -> tuple[dict[str, ir.Var], tuple[Action, ...]]:
    """The variables by path, and the actions that can happen at all."""
    chosen = _chosen(protocol, choice)
    variables = started(protocol.state, protocol.starts)
    check_start(protocol.state, variables)
    actions = (_record(definition, variables, chosen, protocol) for definition in protocol.actions)
    return variables, tuple(action for action in actions if _is_possible(action))


def _counts(protocol: Protocol, variant: Variant | None, sizes: Mapping[str, int]) -> dict[str, int]:
    known = {size.name: size for size in protocol.sizes}
    for name in sizes:
        if name not in known:
            raise UsageError(f"{protocol.name} has no size {name!r}; it has {', '.join(known) or 'none'}")
    smallest = dict(variant.sizes) if variant is not None else {}
    counts = {name: sizes.get(name, smallest.get(name, size.default)) for name, size in known.items()}
    for name, count in counts.items():
        size = known[name]
        if not size.low <= count <= size.high:
            raise UsageError(f"--{name} {count}: {protocol.name} takes {size.low} to {size.high}")
        for other in size.at_most:
            if count > counts[other]:
                raise UsageError(f"--{name} {count}: {protocol.name} takes at most --{other}, which is {counts[other]}")
    return counts


def _features(protocol: Protocol, features: Collection[str] | None) -> frozenset[str]:
    known = [feature.name for feature in protocol.features]
    if features is None:
        return frozenset(feature.name for feature in protocol.features if feature.default)
    for name in features:
        if name not in known:
            raise UsageError(f"{protocol.name} has no feature {name!r}; it has {', '.join(known) or 'none'}")
    return frozenset(features)


def _record(definition: ActionDefinition, variables: dict[str, ir.Var], chosen: Chosen, protocol: Protocol) -> Action:
    recorder = Recorder()
    sorted_lanes: list[Parameter] = [(name, index_sort(cls), cls) for name, cls in definition.lanes]
    own = calling(definition.at, annotated, definition.function, definition.name, definition.at, skip=2)
    params, values = [], []
    for name, sort, wrap in (*sorted_lanes, *own):
        params.append(ir.Param(name, sort))
        values.append(wrap(params[-1]))
    record = protocol.state(Place("", (), variables, recorder))
    calling(definition.at, definition.function, Step(recorder, chosen), record, *values)
    body = calling(definition.at, recorder.finish)
    _check_lane(definition, [param.name for param in params])
    return Action(
        definition.name,
        tuple(params),
        tuple(recorder.guards),
        body,
        definition.actor,
        marked(definition.src, protocol.sources),
        definition.kind,
        definition.fair,
        definition.doc,
        definition.at,
    )


def _check_lane(definition: ActionDefinition, params: list[str]) -> None:
    lane = definition.actor.lane
    if lane is not None and lane not in params:
        raise ModelError(
            f"the actor {definition.actor.name!r} of {definition.name!r} is told apart by {lane!r},"
            " which is no parameter",
            f"name one of {', '.join(params)}" if params else "give the action that parameter",
            definition.at,
        )


def _is_possible(action: Action) -> bool:
    """Whether no guard is plainly false, as it is where the action belongs to a feature that is not there."""
    return all(guard.cond != ir.FALSE for guard in action.guards)


def _without(actions: tuple[Action, ...], without: Collection[str]) -> tuple[Action, ...]:
    known = {f"{action.name}:{guard.name}" for action in actions for guard in action.guards}
    for name in without:
        if name not in known:
            raise UsageError(f"there is no guard {name!r}; write ACTION:GUARD, such as {min(known, default='none')}")
    return tuple(
        evolve(action, guards=tuple(g for g in action.guards if f"{action.name}:{g.name}" not in without))
        for action in actions
    )
