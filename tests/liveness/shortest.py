"""How many steps a shortest lasso has, stem and loop together: breadth first over all that a run may still owe."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.model import Fairness, Property
from tests.liveness.reference import Explored, Who, cases

NONE: frozenset[Who] = frozenset()


@frozen
class Place:
    """Where a run is, whether the case waits, and of the loop that it chose to be in: its begin and what was seen."""

    state: State
    waits: bool = False
    begin: State | None = None
    idle: frozenset[Who] = NONE
    enabled: frozenset[Who] = NONE
    taken: frozenset[Who] = NONE


def fewest_steps(found: Explored, prop: Property, most: int) -> int | None:
    """The steps of a shortest lasso; None if there is none of at most so many."""
    lengths = [_fewest(found, triggered, unmet, most) for triggered, unmet in cases(found, prop)]
    return min((length for length in lengths if length is not None), default=None)


def _fewest(found: Explored, triggered: set[State], unmet: set[State], most: int) -> int | None:
    def arrived(place: Place) -> Iterator[Place]:
        """The place as seen in its state; it may begin the loop here, and has to be without the goal in it."""
        waits = place.state in unmet and (place.waits or place.state in triggered)
        place = evolve(place, waits=waits)
        if place.begin is None:
            yield place
            place = evolve(place, begin=place.state)
        if place.state in unmet:
            here = frozenset(found.enabled[place.state])
            every = {group for groups in found.enabled.values() for group in groups}
            yield evolve(place, idle=place.idle | (every - here), enabled=place.enabled | here)

    level = set(arrived(Place(Interpreter(found.model).initial())))
    seen = set(level)
    for steps in range(most + 1):
        if any(_closes(found, place) for place in level):
            return steps
        after = set()
        for place in level:
            for group, state in found.steps[place.state]:
                taken = place.taken if place.begin is None else place.taken | {group}
                after |= set(arrived(evolve(place, state=state, taken=taken)))
        level = after - seen
        seen |= level
    return None


def _closes(found: Explored, place: Place) -> bool:
    if place.begin != place.state or not place.waits:
        return False
    for group in place.enabled - place.taken:
        fair = found.model.action(group[0]).fair
        if fair is Fairness.STRONG or (fair is Fairness.WEAK and group not in place.idle):
            return False
    return True
