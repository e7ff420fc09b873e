"""`Properties`: what must hold of a protocol, each with the twin situation that makes it worth saying."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar, assert_never

from attrs import evolve, frozen

from fencepost.errors import Location, ModelError
from fencepost.ir import expr as ir
from fencepost.ir.model import Action, GuardKind, Kind, Property, PropertyKind, Response
from fencepost.ir.sorts import BOOL
from fencepost.ir.visit import substitute
from fencepost.lang.annotations import annotated
from fencepost.lang.location import calling, shown_path
from fencepost.lang.reading import Reader
from fencepost.lang.records import Place, Record
from fencepost.lang.scope import fresh_number
from fencepost.lang.step import Settings
from fencepost.lang.values import Bool, lift

P = TypeVar("P", bound=Callable[..., Bool])
Predicate = Callable[..., Bool]


@frozen
class PropertyDefinition:
    """A property's function with what its decorator says. `of` finds the record that it speaks of."""

    name: str
    function: Predicate
    twin: Predicate
    protects: str
    kind: PropertyKind
    needs: tuple[str, ...]
    at: Location
    of: Callable[[Any], Record] | None = None
    goal: Predicate | None = None
    """Of a response: what the function asks for."""

    def is_wanted(self, settings: Settings) -> bool:
        """Whether the features that it needs are in the build."""
        return all(any(map(settings.has, need.split("|"))) for need in self.needs)

    @property
    def statement(self) -> str:
        return " ".join((inspect.getdoc(self.function) or "").split())


class Properties:
    """The properties of one protocol (or of one component, to be included in a protocol's)."""

    def __init__(self, protocol: str) -> None:
        self.protocol = protocol
        self._definitions: dict[str, PropertyDefinition] = {}
        self._lemmas: dict[str, PropertyDefinition] = {}

    def invariant(self, name: str, *, protects: str, twin: Predicate, needs: Collection[str] = ()) -> Callable[[P], P]:
        """Declares an invariant: a function `(s, *indices)` that holds in every reachable state for all indices.

        Its docstring is the statement in plain language. `twin` takes the same parameters by name (or
        fewer) and is true in the situation that makes the property interesting: it must be reachable
        for some indices. `needs` names the features without which the property says nothing and is
        left out; "a|b" is met by either.
        """
        return self._adder(name, protects, twin, PropertyKind.INVARIANT, needs)

    def hang(self, name: str, *, protects: str, needs: Collection[str] = ()) -> Callable[[P], P]:
        """Declares a hang: the function `(s, *indices)` says for some indices that work is outstanding.

        Violated in a state where it does and no progress action is enabled (bounds left aside).
        """

        def add(function: P) -> P:
            return self._adder(name, protects, function, PropertyKind.HANG, needs)(function)

        return add

    def response(self, name: str, *, protects: str, goal: Predicate, needs: Collection[str] = ()) -> Callable[[P], P]:
        """Declares a response: whenever the function `(s, *indices)` holds, `goal` holds then or later.

        That is so for each value of the indices, on every infinite run that is fair (docs/properties.md).
        `goal` takes the same parameters by name, or fewer.
        """

        def add(function: P) -> P:
            return self._adder(name, protects, function, PropertyKind.RESPONSE, needs, goal)(function)

        return add

    def lemma(self, name: str, *, needs: Collection[str] = ()) -> Callable[[P], P]:
        """Declares a lemma: an invariant that helps engine `induction` to prove others, and is reported with them.

        A function `(s, *indices)` like that of an invariant; its docstring says what it says in plain language.
        """

        def add(function: P) -> P:
            code = function.__code__
            at = Location(shown_path(code.co_filename), code.co_firstlineno)
            kind = PropertyKind.INVARIANT
            definition = PropertyDefinition(name, function, function, "", kind, tuple(needs), at)
            if not definition.statement:
                raise ModelError(f"the lemma {name!r} has no docstring", "say in plain language what holds", at)
            self._add(definition, self._lemmas)
            return function

        return add

    def include(self, family: Properties, of: Callable[[Any], Record]) -> None:
        """Takes over the properties of a component, which `of` finds in this protocol's state."""
        for mine, theirs in ((self._definitions, family._definitions), (self._lemmas, family._lemmas)):
            for definition in theirs.values():
                outer = definition.of
                self._add(evolve(definition, of=of if outer is None else _compose(outer, of)), mine)

    def names(self) -> list[str]:
        """Every property's name, in the order of declaration."""
        return list(self._definitions)

    def __iter__(self) -> Iterator[PropertyDefinition]:
        return iter(self._definitions.values())

    def build(
        self, state: type[Record], variables: dict[str, ir.Var], settings: Settings, actions: tuple[Action, ...]
    ) -> Iterator[Property]:
        """The properties as IR; those that need an absent feature are left out."""
        yield from self._built(self._definitions, state, variables, settings, actions)

    def build_lemmas(
        self, state: type[Record], variables: dict[str, ir.Var], settings: Settings, actions: tuple[Action, ...]
    ) -> Iterator[Property]:
        """The lemmas as IR, in the same way."""
        yield from self._built(self._lemmas, state, variables, settings, actions)

    def _built(
        self,
        definitions: dict[str, PropertyDefinition],
        state: type[Record],
        variables: dict[str, ir.Var],
        settings: Settings,
        actions: tuple[Action, ...],
    ) -> Iterator[Property]:
        for definition in definitions.values():
            if calling(definition.at, definition.is_wanted, settings):
                s = state(Place("", (), variables, Reader(f"the property {definition.name!r}")))
                yield calling(definition.at, _record, definition, s, actions)

    def _adder(
        self,
        name: str,
        protects: str,
        twin: Predicate,
        kind: PropertyKind,
        needs: Collection[str],
        goal: Predicate | None = None,
    ) -> Callable[[P], P]:
        def add(function: P) -> P:
            code = function.__code__
            at = Location(shown_path(code.co_filename), code.co_firstlineno)
            definition = PropertyDefinition(name, function, twin, protects, kind, tuple(needs), at, goal=goal)
            if not definition.statement:
                raise ModelError(f"the property {name!r} has no docstring", "say in plain language what holds", at)
            self._add(definition, self._definitions)
            return function

        return add

    def _add(self, definition: PropertyDefinition, to: dict[str, PropertyDefinition]) -> None:
        if definition.name in self._definitions or definition.name in self._lemmas:
            raise ModelError(f"two properties are called {definition.name!r}", "rename one of them", definition.at)
        to[definition.name] = definition


def _compose(inner: Callable[[Any], Record], outer: Callable[[Any], Record]) -> Callable[[Any], Record]:
    return lambda s: inner(outer(s))


def _record(definition: PropertyDefinition, s: Record, actions: tuple[Action, ...]) -> Property:
    record = s if definition.of is None else definition.of(s)
    response: Response | None = None
    match definition.kind:
        case PropertyKind.INVARIANT:
            holds = _closed(definition.function, definition, record, ir.Quantifier.FORALL)
            twin = _closed(definition.twin, definition, record, ir.Quantifier.EXISTS)
        case PropertyKind.HANG:
            twin = _closed(definition.function, definition, record, ir.Quantifier.EXISTS)
            holds = ir.disj(ir.negate(twin), can_progress(actions))
        case PropertyKind.RESPONSE:
            holds, twin = ir.TRUE, _closed(definition.function, definition, record, ir.Quantifier.EXISTS)
            response = _response(definition, record)
        case _:
            assert_never(definition.kind)
    return Property(
        definition.name,
        holds,
        twin,
        definition.statement,
        definition.protects,
        definition.kind,
        definition.at,
        response,
    )


def _response(definition: PropertyDefinition, record: Record) -> Response:
    """The trigger and the goal over the same variables."""
    assert definition.goal is not None
    own = annotated(definition.function, definition.name, definition.at, 1)
    over = {name: (ir.LoopVar(fresh_number(), name, sort), wrap) for name, sort, wrap in own}
    for name in list(inspect.signature(definition.goal).parameters)[1:]:
        if name not in over:
            raise ModelError(
                f"the goal of {definition.name!r} takes {name!r}, which the property does not",
                f"let it take some of {', '.join(over)}" if over else "let it take the state alone",
                definition.at,
            )

    def recorded(function: Predicate, side: str) -> ir.Expr:
        names = list(inspect.signature(function).parameters)[1:]
        values = [over[name][1](over[name][0]) for name in names]
        return lift(function(record, *values), BOOL, f"{side} {definition.name!r}")

    trigger = recorded(definition.function, "the property")
    goal = recorded(definition.goal, "the goal of")
    return Response(tuple(var for var, _ in over.values()), trigger, goal)


def _closed(function: Predicate, definition: PropertyDefinition, record: Record, quantifier: ir.Quantifier) -> ir.Expr:
    own = {name: (sort, wrap) for name, sort, wrap in annotated(definition.function, definition.name, definition.at, 1)}
    names = list(inspect.signature(function).parameters)[1:]
    if not set(names) <= set(own):  # a twin may quantify over more than its property does
        own |= {name: (sort, wrap) for name, sort, wrap in annotated(function, definition.name, definition.at, 1)}
    loops, values = [], []
    for name in names:
        sort, wrap = own[name]
        loop = ir.LoopVar(fresh_number(), name, sort)
        loops.append(loop)
        values.append(wrap(loop))
    side = "the property" if quantifier is ir.Quantifier.FORALL else "the situation of"
    node = lift(function(record, *values), BOOL, f"{side} {definition.name!r}")
    for loop in reversed(loops):
        node = ir.Quantified(quantifier, loop, node)
    return node


def can_progress(actions: tuple[Action, ...]) -> ir.Expr:
    """Some progress action has all its `require` guards true, for some arguments."""
    return ir.disj(*(_enabled(action) for action in actions if action.kind is Kind.PROGRESS))


def _enabled(action: Action) -> ir.Expr:
    loops = {param: ir.LoopVar(fresh_number(), param.name, param.sort) for param in action.params}
    requires = ir.conj(*(guard.cond for guard in action.guards if guard.kind is GuardKind.REQUIRE))
    node = _bind(requires, loops)
    for loop in reversed(loops.values()):
        node = ir.Quantified(ir.Quantifier.EXISTS, loop, node)
    return node


def _bind(node: ir.Expr, loops: dict[ir.Param, ir.LoopVar]) -> ir.Expr:
    """The condition with loop variables for parameters, and fresh ones for its own quantifiers."""
    renamed: dict[int, ir.LoopVar] = {}

    def replace(e: ir.Expr) -> ir.Expr | None:
        match e:
            case ir.Param():
                return loops[e]
            case ir.LoopVar(id=number):
                return renamed.get(number)
            case ir.Quantified(quantifier, var, body):
                renamed[var.id] = ir.LoopVar(fresh_number(), var.name, var.sort)
                return ir.Quantified(quantifier, renamed[var.id], substitute(body, replace))
            case _:
                return None

    return substitute(node, replace)
