"""What the events of a program become in each kind of generated function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from attrs import frozen

from fencepost.exec.emit_expr import emit
from fencepost.exec.low import Local
from fencepost.exec.low_code import Close, Enabled, Event, Fire, Hit, Open, Stopped

CANONICAL = "canonical"
"""The name of the function from a state to the one that stands for its orbit."""


class SuccessorsSink:
    """Collects steps in `out` and broken instances in `bad`."""

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Fire(item, state):
                return (f"out.append(({item}, {emit(state)}))",)
            case Enabled() | Stopped() | Hit() | Open() | Close():
                return ()
            case _:
                assert_never(event)

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Instances broke the obligation whose number the expression `obligation` gives."""
        return (f"bad.append(({item}, {obligation}))" for item in items)


class SurveySink(SuccessorsSink):
    """Collects in `held` the instances that a bound alone stops, besides."""

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        if isinstance(event, Stopped):
            return (f"held.extend({event.items!r})",)
        return super().lines(event)


@frozen
class ExpandSink:
    """Takes steps at once: counts them, and puts new states into `parents` and `new`.

    `owner` gives the action of each instance; `bounded` says whether any instance can be stopped
    by a bound, for else nobody asks whether a state had an enabled one. With `symmetric`, the state
    that stands for the orbit is kept.
    """

    owner: Sequence[int]
    bounded: bool
    symmetric: bool = False

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Enabled(item):
                return (f"e{self.owner[item]} = {'some = ' if self.bounded else ''}1",)
            case Stopped():
                return ("stop = 1",)
            case Fire():
                return self._fire(event)
            case Close(action):
                return (f"if e{action}:", f" m{action} += 1", f" e{action} = 0")
            case Hit() | Open():
                return ()
            case _:
                assert_never(event)

    def _fire(self, event: Fire) -> Iterable[str]:
        yield f"n{self.owner[event.item]} += 1"
        name = event.state.name if isinstance(event.state, Local) and not self.symmetric else "x"
        if name == "x":
            yield f"x = {emit(event.state)}"
        if self.symmetric:  # what was kept stands for its orbit already
            yield f"if x not in parents: x = {CANONICAL}(x)"
        yield f"if {name} not in parents:"
        yield f" parents[{name}] = s"
        yield f" append({name})"

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Instances broke the obligation whose number the expression `obligation` gives."""
        return (f"report(s, {item}, {obligation})" for item in items)


class MarkSink:
    """Sets a bit of `m` for each watch that hits."""

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Hit(item):
                return (f"m |= {1 << item}",)
            case Enabled() | Stopped() | Fire() | Open() | Close():
                return ()
            case _:
                assert_never(event)

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Watches broke the obligation whose number the expression `obligation` gives."""
        return (f"report(len(marks), {item}, {obligation})" for item in items)


class WatchSink:
    """Reports each watch that hits or breaks."""

    def lines(self, event: Event) -> Iterable[str]:
        """The event as source lines."""
        match event:
            case Hit(item):
                return (f"report(s, {item}, -1)",)
            case Enabled() | Stopped() | Fire() | Open() | Close():
                return ()
            case _:
                assert_never(event)

    def broken(self, items: tuple[int, ...], obligation: str) -> Iterable[str]:
        """Watches broke the obligation whose number the expression `obligation` gives."""
        return (f"report(s, {item}, {obligation})" for item in items)
