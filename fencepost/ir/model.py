"""Actions, properties and the model that holds them."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping

from attrs import field, frozen

from fencepost.errors import Location, UsageError
from fencepost.ir.expr import Expr, LoopVar, Param, Var
from fencepost.ir.sorts import show
from fencepost.ir.stmt import Stmt


class Kind(enum.Enum):
    """What an action's being enabled means for a hang."""

    PROGRESS = "progress"
    """Hardware, handlers, a thread inside a call: it will happen."""
    ENVIRONMENT = "environment"
    """May never happen: a new call, a toggle, a destroy."""
    IDLE = "idle"
    """A failed poll: changes nothing that matters."""


class Fairness(enum.Enum):
    """What a scheduler owes an action that is enabled for ever (weak) or again and again (strong)."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


class GuardKind(enum.Enum):
    """Why a guard is there."""

    REQUIRE = "require"
    """The code (or the hardware) has this condition."""
    BOUND = "bound"
    """Only keeps the model finite; a state stopped by bounds alone is CUT, never a hang."""


@frozen(cache_hash=True)
class Guard:
    """A named condition of an action, on the state before it."""

    name: str
    cond: Expr
    kind: GuardKind = GuardKind.REQUIRE
    at: Location | None = field(default=None, eq=False, repr=False)


@frozen(cache_hash=True)
class Actor:
    """Who takes a step. With `lane`, one actor for each value of that parameter."""

    name: str
    lane: str | None = None

    def label(self, args: Mapping[str, int]) -> str:
        """The actor as shown, such as `packet processor 1`."""
        return self.name if self.lane is None else f"{self.name} {args[self.lane]}"


@frozen(cache_hash=True)
class Action:
    """An atomic guarded step: guards in order on the state before it, then the body."""

    name: str
    params: tuple[Param, ...]
    guards: tuple[Guard, ...]
    body: tuple[Stmt, ...]
    actor: Actor
    src: str
    kind: Kind = Kind.PROGRESS
    fair: Fairness = Fairness.WEAK
    doc: str = ""
    at: Location | None = field(default=None, eq=False, repr=False)

    def call(self, args: tuple[int, ...]) -> str:
        """The action with arguments, by name, such as `rearm(slot=1)`."""
        pairs = zip(self.params, args, strict=True)
        return f"{self.name}({', '.join(f'{param.name}={show(param.sort, value)}' for param, value in pairs)})"


class PropertyKind(enum.Enum):
    """What a property speaks of."""

    INVARIANT = "invariant"
    HANG = "hang"
    """Outstanding work with no progress action enabled; compiled to an invariant by the builder."""
    RESPONSE = "response"
    """What is asked for happens, on every fair infinite run: not a matter of single states."""


@frozen(cache_hash=True)
class Response:
    """For all values of `over`: whenever `trigger` holds, `goal` holds then or later on every fair run.

    Both may refer to the variables of `over`.
    """

    over: tuple[LoopVar, ...]
    trigger: Expr
    goal: Expr


@frozen(cache_hash=True)
class Property:
    """What must hold in every reachable state, and the twin situation that makes it worth saying.

    Of a response nothing is asked of single states: `holds` is true, and the twin is its trigger for
    some values.
    """

    name: str
    holds: Expr
    twin: Expr
    statement: str
    protects: str
    kind: PropertyKind = PropertyKind.INVARIANT
    at: Location | None = field(default=None, eq=False, repr=False)
    response: Response | None = None
    """What is asked for, of a response alone."""


def responses(properties: Iterable[Property]) -> tuple[Property, ...]:
    """Those that are responses."""
    return tuple(prop for prop in properties if prop.kind is PropertyKind.RESPONSE)


@frozen(cache_hash=True)
class Model:
    """One protocol at one choice of variant, sizes and features, with its properties."""

    protocol: str
    variant: str | None
    sizes: tuple[tuple[str, int], ...]
    features: tuple[str, ...]
    vars: tuple[Var, ...]
    actions: tuple[Action, ...]
    properties: tuple[Property, ...] = ()
    without: tuple[str, ...] = ()
    """Guards switched off by the user, as `action:guard`."""
    symmetric: tuple[str, ...] = ()
    """Index sorts whose indices may be renamed, as declared; changes nothing of what the model means."""
    lemmas: tuple[Property, ...] = ()
    """Invariants that are there to help a proof by induction, and are asked for by nothing else."""

    @property
    def bits(self) -> int:
        """Width of a packed state."""
        return sum(var.sort.width * var.count for var in self.vars)

    def action(self, name: str) -> Action:
        """The action of that name.

        Raises:
            KeyError: there is none.
        """
        for action in self.actions:
            if action.name == name:
                return action
        raise KeyError(name)

    def property(self, name: str) -> Property:
        """The property of that name.

        Raises:
            KeyError: there is none.
        """
        for prop in self.properties:
            if prop.name == name:
                return prop
        raise KeyError(name)


def properties_named(model: Model, names: Collection[str] | None) -> tuple[Property, ...]:
    """The model's properties of these names, in its order; all of them if None.

    Raises:
        UsageError: a property that the model has not.
    """
    known = [prop.name for prop in model.properties]
    for name in names or ():
        if name not in known:
            raise UsageError(f"no property {name!r} in {model.protocol}; there are {', '.join(known) or 'none'}")
    return tuple(prop for prop in model.properties if names is None or prop.name in names)
