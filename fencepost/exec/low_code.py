"""The statements of the low form, and the program made of them."""

from __future__ import annotations

from attrs import frozen

from fencepost.exec.low import Local, Low


@frozen
class Let:
    """Give a local its value."""

    local: Local
    value: Low


@frozen
class When:
    """Two branches; either may be empty."""

    cond: Low
    then: Block
    orelse: Block = ()


@frozen
class Attempt:
    """Run `body`; if it breaks an obligation, tell so for each of `items` and go on with `rescue`."""

    body: Block
    items: tuple[int, ...]
    rescue: Block = ()


@frozen
class Enabled:
    """All guards of an instance are true."""

    item: int


@frozen
class Stopped:
    """All REQUIRE guards of these instances are true, and a BOUND guard is false."""

    items: tuple[int, ...]


@frozen
class Fire:
    """The instance steps to a packed state."""

    item: int
    state: Low


@frozen
class Hit:
    """The watched condition of that number is true."""

    item: int


@frozen
class Open:
    """The code of an action's instances begins."""

    action: int


@frozen
class Close:
    """The code of an action's instances ends."""

    action: int


Event = Enabled | Stopped | Fire | Hit | Open | Close
"""What a program tells of a state; what comes of it is the choice of the function written around it."""

Code = Let | When | Attempt | Event
Block = tuple[Code, ...]


@frozen
class Program:
    """A block, and the names of the obligations that its `Within` and `Fail` nodes number."""

    block: Block
    obligations: tuple[str, ...]
