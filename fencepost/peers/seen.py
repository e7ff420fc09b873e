"""What another checker says of an exported model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.verdict import Path


@frozen
class Seen:
    """One run. Either it ended with an error (a property's name, or an obligation's) and the way there, or with counts.

    A count that the tool does not give is None.
    """

    broken: str = ""
    path: Path = ()
    states: int | None = None
    transitions: int | None = None


@frozen
class Answers:
    """The length of the shortest run to each violation that there is within the depth."""

    depth: int
    lengths: Mapping[str, int]


class Search(Protocol):
    """Look for the first error of a model; with `past_obligations`, count the states though obligations break."""

    def __call__(self, model: Model, *, timeout: float, past_obligations: bool = False) -> Seen: ...


@frozen
class Peer:
    """A checker: its search, and whether it can count the states of a model in which obligations break.

    Where `asks_later`, it looks at properties in a step of its own, so that a step that breaks an
    obligation may come before a state that breaks a property and is nearer by one step.
    """

    name: str
    search: Search
    version: Callable[[], str]
    counts_past_obligations: bool = False
    asks_later: bool = False
