"""What an author declares beside the state: sizes, features, variants, and actions before they are recorded."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from attrs import frozen

from fencepost.errors import Location, ModelError
from fencepost.ir.model import Actor, Fairness, Kind
from fencepost.lang.location import shown_path
from fencepost.lang.values import Index

F = TypeVar("F", bound=Callable[..., None])


@frozen
class Size:
    """How many of an index sort there are: the command line's `--<name>`."""

    name: str
    index: type[Index]
    default: int
    low: int = 1
    high: int = 8
    help: str = ""


@frozen
class Feature:
    """An optional part of a protocol: the command line's `--with <name>`."""

    name: str
    help: str
    default: bool = True


@frozen
class Variant:
    """A named, small, visible difference from the protocol.

    `breaks` is the property that it is known to violate (None for a repaired one); `source` says
    where the mistake is recorded. `sizes` and `features` are the smallest setting that shows it,
    where the protocol's defaults do not.
    """

    name: str
    help: str
    breaks: str | None = None
    source: str = ""
    sizes: tuple[tuple[str, int], ...] = ()
    features: tuple[str, ...] | None = None


@frozen
class ActionDefinition:
    """An action's function with what its decorator says."""

    name: str
    function: Callable[..., None]
    actor: Actor
    src: str
    kind: Kind
    fair: Fairness
    at: Location

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.function) or ""


_MARK = "__fencepost_action__"


def define(
    function: Callable[..., None], by: Actor, src: str, kind: Kind, fair: Fairness | None, name: str | None
) -> ActionDefinition:
    """The definition of a decorated function. Fairness is weak unless the environment or an idle poll takes it.

    Raises:
        ModelError: the action says no source.
    """
    code = function.__code__
    at = Location(shown_path(code.co_filename), code.co_firstlineno)
    if not src:
        raise ModelError(f"the action {function.__name__!r} says no source", 'give src="the code it stands for"', at)
    default = Fairness.WEAK if kind is Kind.PROGRESS else Fairness.NONE
    return ActionDefinition(name or function.__name__, function, by, src, kind, fair or default, at)


def action(
    *, by: Actor, src: str, kind: Kind = Kind.PROGRESS, fair: Fairness | None = None
) -> Callable[[F], F]:
    """Marks a component's method as an action of every protocol that has the component.

    The method is called as `method(self, m, *parameters)`.
    """

    def mark(function: F) -> F:
        setattr(function, _MARK, define(function, by, src, kind, fair, None))
        return function

    return mark


def marked_actions(component: type[Any]) -> list[ActionDefinition]:
    """The component's own actions, base classes first, in the order of their definition.

    A derived component that defines a method of an action's name without the mark leaves the action out.
    """
    found: dict[str, ActionDefinition] = {}
    for cls in reversed(component.__mro__):
        for name, member in vars(cls).items():
            definition = getattr(member, _MARK, None)
            if definition is not None:
                found[name] = definition
            else:
                found.pop(name, None)
    return list(found.values())
