"""What an author declares beside the state: sizes, features, variants, and actions before they are recorded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from attrs import field, frozen

from fencepost.errors import Location, ModelError
from fencepost.ir.model import Actor, Fairness, Kind
from fencepost.lang.location import here, shown_path
from fencepost.lang.values import Index

F = TypeVar("F", bound=Callable[..., None])


@frozen
class Size:
    """How many of an index sort there are: the command line's `--<name>`.

    `at_most` names other sizes that this one may not exceed, as a ring may not start larger than it may grow.
    `symmetric` declares that nothing tells the indices apart but being the same or not; the build checks it.
    """

    name: str
    index: type[Index]
    default: int
    low: int = 1
    high: int = 8
    help: str = ""
    at_most: tuple[str, ...] = ()
    symmetric: bool = False
    at: Location | None = field(factory=here, eq=False, repr=False)


@frozen
class Feature:
    """An optional part of a protocol: the command line's `--with <name>`."""

    name: str
    help: str
    default: bool = True
    at: Location | None = field(factory=here, eq=False, repr=False)


def _pairs(sizes: Mapping[str, int] | Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Sizes as a user may write them, `{"events": 1}` or pairs."""
    return tuple(sizes.items() if isinstance(sizes, Mapping) else sizes)


@frozen
class Variant:
    """A named, small, visible difference from the protocol.

    `breaks` is the property that it is known to violate (None for a repaired one); `source` says
    where the mistake, or the rule that it breaks, can be read. `sizes` and `features` are the
    smallest setting that shows it, where the protocol's defaults do not.
    """

    name: str
    help: str
    breaks: str | None = None
    source: str = ""
    sizes: tuple[tuple[str, int], ...] = field(default=(), converter=_pairs)
    features: tuple[str, ...] | None = None
    at: Location | None = field(factory=here, eq=False, repr=False)


@frozen
class ActionDefinition:
    """An action's function `(m, s, *lanes, *parameters)` with what its decorator says.

    `lanes` are the indices that lead to the component whose action it is, with their names.
    """

    name: str
    function: Callable[..., None]
    actor: Actor
    src: str
    kind: Kind
    fair: Fairness
    at: Location
    lanes: tuple[tuple[str, type[Index]], ...] = ()

    @property
    def doc(self) -> str:
        return inspect.getdoc(inspect.unwrap(self.function)) or ""


_MARK = "__fencepost_action__"


def define(
    function: Callable[..., None], by: Actor, src: str, kind: Kind, fair: Fairness | None, name: str | None
) -> ActionDefinition:
    """The definition of a decorated function. Fairness is weak unless the environment or an idle poll takes it.

    Raises:
        ModelError: the action says no source or actor, or its function is not one that runs to its end.
    """
    code, called = function.__code__, function.__name__
    at = Location(shown_path(code.co_filename), code.co_firstlineno)
    if not src:
        raise ModelError(f"the action {called!r} says no source", 'give src="the code it stands for"', at)
    if not isinstance(by, Actor):
        raise ModelError(f"the action {called!r} is by {by!r}, which is no actor", 'give by=Actor("...")', at)
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        raise ModelError(f"the action {called!r} yields or awaits", "write one atomic step an action", at)
    if code.co_argcount < 2:
        raise ModelError(
            f"the action {called!r} takes {code.co_argcount} parameters", "let it take (m: Step, s: State, ...)", at
        )
    default = Fairness.WEAK if kind is Kind.PROGRESS else Fairness.NONE
    return ActionDefinition(name or called, function, by, src, kind, fair or default, at)


def action(*, by: Actor, src: str, kind: Kind = Kind.PROGRESS, fair: Fairness | None = None) -> Callable[[F], F]:
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
