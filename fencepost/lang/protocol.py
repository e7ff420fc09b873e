"""`Protocol`: a system to verify, as its author declares it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve

from fencepost.errors import FencepostError, ModelError, UsageError
from fencepost.ir.model import Actor, Fairness, Kind, Model
from fencepost.lang.assemble import Choice, assemble
from fencepost.lang.components import component_actions
from fencepost.lang.declared import check_declared
from fencepost.lang.definitions import ActionDefinition, Feature, Size, Variant, define
from fencepost.lang.location import calling, here
from fencepost.lang.properties import Properties
from fencepost.lang.records import Record
from fencepost.lang.refusals import near
from fencepost.lang.step import Step
from fencepost.sources import Source

F = TypeVar("F", bound=Callable[..., None])


class Protocol:
    """A system: its state, its actions, and what may be chosen about it.

    `default` is the name of the protocol without a variant, such as the release it stands for. `sources` say
    where the code is that its actions stand for, and which of it is known from a description alone.

    Raises:
        ModelError: sizes, features and variants that do not fit together.
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
        sources: Iterable[Source] = (),
        doc: str = "",
    ) -> None:
        self.name = name
        self.state = state
        self.sizes = tuple(sizes)
        self.features = tuple(features)
        self.variants = tuple(variants)
        self.default = default
        self.sources = tuple(sources)
        self.doc = doc
        self.at = here()
        check_declared(state, self.sizes, self.features, self.variants, default)
        self.base: Protocol | None = None
        self.extends = False
        """Whether it is made of another one, whose declarations it may do otherwise than."""
        self._start: Callable[[Any], None] | None = None
        self._actions: dict[str, ActionDefinition] = {}
        for definition in component_actions(state):
            self._add(definition)
        self._components = dict(self._actions)

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
            self._add(define(function, by, src, kind, fair, name))
            return function

        return add

    def start(self, function: Callable[[Any], None]) -> Callable[[Any], None]:
        """Declares what the fields' own initial values leave open: a function `(s)` that assigns constants."""
        self._start = function
        return function

    def extend(
        self, name: str, *, doc: str = "", features: Iterable[Feature] = (), variants: Iterable[Variant] = ()
    ) -> Protocol:
        """A protocol of another name that starts as this one; replace actions or add guards to make it yours."""
        mine = Protocol(
            name,
            state=self.state,
            sizes=self.sizes,
            features=(*self.features, *features),
            variants=(*self.variants, *variants),
            default=self.default,
            sources=self.sources,
            doc=doc or self.doc,
        )
        mine.base = self.base
        mine.extends = True
        mine._actions = dict(self._actions)
        mine._components = self._components
        mine._start = self._start
        return mine

    def compose(
        self,
        name: str,
        *,
        state: type[Record],
        sizes: Iterable[Size] = (),
        features: Iterable[Feature] = (),
        variants: Iterable[Variant] = (),
        default: str = "default",
        sources: Iterable[Source] = (),
        doc: str = "",
    ) -> Protocol:
        """A protocol with more to its state: this one's actions on a state class that is derived from its own.

        `sizes`, `features` and `sources` come on top of this one's; sizes and features take the place of those
        of the same name. This one's variants stay behind; actions that ask for one are told that it is not
        being built. A component that `state` puts in another's place brings its own actions.
        """
        mine = Protocol(
            name,
            state=state,
            sizes=_by_name(*self.sizes, *sizes),
            features=_by_name(*self.features, *features),
            variants=variants,
            default=default,
            sources=(*self.sources, *sources),
            doc=doc or self.doc,
        )
        mine.base = self
        mine.extends = True
        mine._start = self._start
        for definition in self._actions.values():
            if definition is not self._components.get(definition.name):
                mine._actions[definition.name] = definition
        return mine

    def replace(self, name: str) -> Callable[[F], F]:
        """Replaces the action `name` by the decorated function; actor, source, kind and fairness stay.

        A component's action is replaced by a function `(m, s, *lanes, *parameters)`: the indices that
        lead to the component come first.
        """
        old = self._known_action(name)

        def put(function: F) -> F:
            self._actions[name] = define(function, old.actor, old.src, old.kind, old.fair, name)
            return function

        return put

    def guard(self, name: str, guard: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Adds a guard to the action `name`: a function `(m, s, *parameters)` that gives the condition."""
        old = self._known_action(name)

        def put(condition: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(old.function)
            def guarded(m: Step, s: Record, *args: Any) -> None:
                m.require(condition(m, s, *args), guard)
                old.function(m, s, *args)

            self._actions[name] = evolve(old, function=guarded)
            return condition

        return put

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
            ModelError: the protocol or a property is written wrongly, or the variant changes nothing.
        """
        variant = None if variant == self.default else variant
        chosen = None if variant is None else self.variant(variant)
        choice = Choice.of(self, chosen, sizes or {}, features)
        asked = bool(sizes) or features is not None

        def check_variant(own: str, plain: str) -> None:
            if chosen is not None and own == plain:
                raise _changes_nothing(chosen, asked=asked)

        return calling(self.at, assemble, self, choice, tuple(properties), without, check_variant)

    @property
    def actions(self) -> tuple[ActionDefinition, ...]:
        """The actions: those of components first, in the order of their declaration."""
        return tuple(self._actions.values())

    @property
    def known_variants(self) -> tuple[str, ...]:
        """The variants that actions may ask for: its own, and those that it left behind when it was composed."""
        inherited = () if self.base is None else self.base.known_variants
        return (*(variant.name for variant in self.variants), *inherited)

    @property
    def starts(self) -> Callable[[Any], None] | None:
        """What `start` declared."""
        return self._start

    def _add(self, definition: ActionDefinition) -> None:
        if definition.name in self._actions:
            raise ModelError(f"two actions are called {definition.name!r}", "rename one of them", definition.at)
        self._actions[definition.name] = definition

    def _known_action(self, name: str) -> ActionDefinition:
        if name not in self._actions:
            mend = near(name, self._actions) or f"it has {', '.join(self._actions)}"
            raise ModelError(f"{self.name} has no action {name!r}", mend, here())
        return self._actions[name]


N = TypeVar("N", Size, Feature)


def _by_name(*declared: N) -> tuple[N, ...]:
    """One of each name, where the first of that name stands; the last one counts."""
    return tuple({one.name: one for one in declared}.values())


def _changes_nothing(variant: Variant, *, asked: bool) -> FencepostError:
    """What is wrong with a variant that behaves as the protocol does: the user's choice, if there was one."""
    problem = f"the variant {variant.name!r} changes nothing"
    if asked:
        return UsageError(f"{problem} at these sizes and features; leave them to the variant")
    mend = f"ask for it with m.variant({variant.name!r}), or give it the features= and sizes= that it needs"
    return ModelError(problem, mend, variant.at)
