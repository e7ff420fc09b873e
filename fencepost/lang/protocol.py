"""`Protocol`: a system to verify, and how it becomes a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve

from fencepost.errors import ModelError, UsageError
from fencepost.ir import expr as ir
from fencepost.ir.check import check
from fencepost.ir.constants import fold_unassigned
from fencepost.ir.model import Action, Actor, Fairness, Kind, Model
from fencepost.lang.annotations import parameters
from fencepost.lang.definitions import ActionDefinition, Feature, Size, Variant, define, marked_actions
from fencepost.lang.location import here
from fencepost.lang.properties import Properties
from fencepost.lang.records import Component, Part, Place, Record, TableField, declared
from fencepost.lang.recorder import Recorder
from fencepost.lang.scope import Build, building, index_sort
from fencepost.lang.start import started
from fencepost.lang.step import Settings, Step
from fencepost.lang.values import Index

F = TypeVar("F", bound=Callable[..., None])


class Protocol:
    """A system: its state, its actions, and what may be chosen about it.

    `default` is the name of the protocol without a variant, such as the release it stands for.
    """

    def __init__(
        self,
        name: str,
        *,
        state: type[Record],
        sizes: Iterable[Size] = (),
        features: Iterable[Feature] = (),
        variants: Iterable[Variant] = (),
        default: str = "default",
        doc: str = "",
    ) -> None:
        self.name = name
        self.state = state
        self.sizes = tuple(sizes)
        self.features = tuple(features)
        self.variants = tuple(variants)
        self.default = default
        self.doc = doc
        self._actions: dict[str, ActionDefinition] = {}
        self._start: Callable[[Any], None] | None = None
        for what, names in (
            ("size", [size.name for size in self.sizes]),
            ("feature", [feature.name for feature in self.features]),
            ("variant", [variant.name for variant in self.variants]),
        ):
            twice = {n for n in names if names.count(n) > 1}
            if twice:
                raise ModelError(f"two {what}s are called {min(twice)!r}", "give each its own name", here())

    def action(
        self,
        *,
        by: Actor,
        src: str,
        kind: Kind = Kind.PROGRESS,
        fair: Fairness | None = None,
        name: str | None = None,
    ) -> Callable[[F], F]:
        """Declares an action: a function `(m, s, *parameters)` whose parameters are annotated with their sorts."""

        def add(function: F) -> F:
            definition = define(function, by, src, kind, fair, name)
            if definition.name in self._actions:
                raise ModelError(f"two actions are called {definition.name!r}", "rename one of them", definition.at)
            self._actions[definition.name] = definition
            return function

        return add

    def start(self, function: Callable[[Any], None]) -> Callable[[Any], None]:
        """Declares what the fields' own initial values leave open: a function `(s)` that assigns constants."""
        self._start = function
        return function

    def extend(self, name: str, *, doc: str = "", variants: Iterable[Variant] = ()) -> Protocol:
        """A protocol of another name that starts as this one; replace actions or add guards to make it yours."""
        mine = Protocol(
            name,
            state=self.state,
            sizes=self.sizes,
            features=self.features,
            variants=(*self.variants, *variants),
            default=self.default,
            doc=doc or self.doc,
        )
        mine._actions = dict(self._actions)
        mine._start = self._start
        return mine

    def replace(self, name: str) -> Callable[[F], F]:
        """Replaces the action `name` by the decorated function; actor, source, kind and fairness stay."""
        old = self._known_action(name)

        def put(function: F) -> F:
            at = define(function, old.actor, old.src, old.kind, old.fair, name).at
            self._actions[name] = evolve(old, function=function, at=at)
            return function

        return put

    def guard(self, name: str, guard: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Adds a guard to the action `name`: a function `(m, s, *parameters)` that gives the condition."""
        old = self._known_action(name)

        def put(condition: Callable[..., Any]) -> Callable[..., Any]:
            def guarded(m: Step, s: Record, *args: Any) -> None:
                m.require(condition(m, s, *args), guard)
                old.function(m, s, *args)

            guarded.__signature__ = inspect.signature(old.function)  # type: ignore[attr-defined]
            guarded.__wrapped__ = old.function  # type: ignore[attr-defined]
            self._actions[name] = evolve(old, function=guarded)
            return condition

        return put

    def _known_action(self, name: str) -> ActionDefinition:
        if name not in self._actions:
            raise ModelError(f"{self.name} has no action {name!r}", f"it has {', '.join(self._actions)}", here())
        return self._actions[name]

    def variant(self, name: str) -> Variant:
        """The variant of that name.

        Raises:
            UsageError: there is none.
        """
        for variant in self.variants:
            if variant.name == name:
                return variant
        raise UsageError(f"{self.name} has no variant {name!r}")

    def build(
        self,
        *,
        variant: str | None = None,
        sizes: Mapping[str, int] | None = None,
        features: Collection[str] | None = None,
        properties: Iterable[Properties] = (),
        without: Collection[str] = (),
    ) -> Model:
        """Record the protocol as a model.

        Args:
            variant: name of a variant; None, or the name of the default, for the protocol as it is.
            sizes: sizes by name; a variant's own, then the defaults, fill in the rest.
            features: the optional features that are in; None for the variant's own or the defaults.
            properties: what must hold.
            without: guards to switch off, as `action:guard`.

        Raises:
            UsageError: an unknown name, or a size out of its bounds.
            ModelError: the protocol or a property is written wrongly.
        """
        variant = None if variant == self.default else variant
        chosen = None if variant is None else self.variant(variant)
        counts = self._counts(sizes or {}, chosen)
        enabled = self._features(features, chosen)
        settings = Settings(
            variant, [v.name for v in self.variants], enabled, [feature.name for feature in self.features]
        )
        with building(Build({size.index: counts[size.name] for size in self.sizes})):
            vars = started(self.state, self._start)
            actions = tuple(action for action in self._record(vars, settings) if _is_possible(action))
            actions = _without(actions, without)
            model = Model(
                self.name,
                variant,
                tuple(counts.items()),
                tuple(sorted(enabled)),
                tuple(vars.values()),
                actions,
                (),
                tuple(sorted(without)),
            )
            model = evolve(
                model,
                properties=tuple(p for family in properties for p in family.build(self.state, vars, settings, actions)),
            )
        check(model)
        return fold_unassigned(model)

    def _counts(self, sizes: Mapping[str, int], variant: Variant | None) -> dict[str, int]:
        known = {size.name: size for size in self.sizes}
        for name in sizes:
            if name not in known:
                raise UsageError(f"{self.name} has no size {name!r}; it has {', '.join(known) or 'none'}")
        smallest = dict(variant.sizes) if variant is not None else {}
        counts = {name: sizes.get(name, smallest.get(name, size.default)) for name, size in known.items()}
        for name, count in counts.items():
            size = known[name]
            if not size.low <= count <= size.high:
                raise UsageError(f"--{name} {count}: {self.name} takes {size.low} to {size.high}")
        return counts

    def _features(self, features: Collection[str] | None, variant: Variant | None) -> frozenset[str]:
        known = [feature.name for feature in self.features]
        if features is None and variant is not None and variant.features is not None:
            features = variant.features
        if features is None:
            return frozenset(feature.name for feature in self.features if feature.default)
        for name in features:
            if name not in known:
                raise UsageError(f"{self.name} has no feature {name!r}; it has {', '.join(known) or 'none'}")
        return frozenset(features)

    def _record(self, vars: dict[str, ir.Var], settings: Settings) -> Iterable[Action]:
        recorded: set[str] = set()
        for prefix, indices, component in _components(self.state):
            for definition in marked_actions(component):
                action = _record_component(definition, prefix, indices, vars, settings, self.state)
                recorded.add(action.name)
                yield action
        for definition in self._actions.values():
            if definition.name in recorded:
                raise ModelError(f"two actions are called {definition.name!r}", "rename one of them", definition.at)
            yield _record_action(definition, vars, settings, self.state)


def _record_action(
    definition: ActionDefinition, vars: dict[str, ir.Var], settings: Settings, state: type[Record]
) -> Action:
    recorder = Recorder()
    params = parameters(definition, skip=2)
    s = state(Place("", (), vars, recorder))
    definition.function(Step(recorder, settings), s, *(value for _, value in params))
    return _finished(definition, definition.name, tuple(param for param, _ in params), recorder)


def _record_component(
    definition: ActionDefinition,
    path: tuple[str, ...],
    indices: tuple[type[Index], ...],
    vars: dict[str, ir.Var],
    settings: Settings,
    state: type[Record],
) -> Action:
    recorder = Recorder()
    own = parameters(definition, skip=2)
    outer = [ir.Param(_lane(cls, position, indices), index_sort(cls)) for position, cls in enumerate(indices)]
    record: Any = state(Place("", (), vars, recorder))
    remaining = iter(zip(outer, indices, strict=True))
    for name in path:
        record = getattr(record, name)
        if not isinstance(record, Record):
            param, cls = next(remaining)
            record = record[cls(param)]
    definition.function(record, Step(recorder, settings), *(value for _, value in own))
    name = ".".join((*path[1:], definition.name)) if len(path) > 1 else definition.name
    return _finished(definition, name, (*outer, *(param for param, _ in own)), recorder)


def _lane(cls: type[Index], position: int, indices: tuple[type[Index], ...]) -> str:
    name = cls.__name__.lower()
    return name if indices.count(cls) == 1 else f"{name}{position}"


def _finished(
    definition: ActionDefinition, name: str, params: tuple[ir.Param, ...], recorder: Recorder
) -> Action:
    lane = definition.actor.lane
    if lane is not None and lane not in [param.name for param in params]:
        raise ModelError(
            f"the actor {definition.actor.name!r} of {name!r} is told apart by {lane!r}, which is no parameter",
            f"name one of {', '.join(param.name for param in params) or 'its parameters'}",
            definition.at,
        )
    return Action(
        name,
        params,
        tuple(recorder.guards),
        recorder.finish(),
        definition.actor,
        definition.src,
        definition.kind,
        definition.fair,
        definition.doc,
        definition.at,
    )


def _components(
    state: type[Record], path: tuple[str, ...] = (), indices: tuple[type[Index], ...] = ()
) -> Iterable[tuple[tuple[str, ...], tuple[type[Index], ...], type[Component]]]:
    for name, field in declared(state):
        if isinstance(field, Part | TableField):
            inner = (*indices, field.index) if isinstance(field, TableField) else indices
            if issubclass(field.record, Component):
                yield (*path, name), inner, field.record
            yield from _components(field.record, (*path, name), inner)


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

