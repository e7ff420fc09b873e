"""Whether a mutant, though its states are others, makes no difference to anybody.

A split makes none if whatever others do in between, they could as well do after the rest.
For each state of the mutant there is one of the original: that in which everybody who is in between has taken
the rest. If the rest can always be taken, changes nothing of that state, and each other step of the mutant is a
step of the original from the one to the other, then every run of the mutant is one of the original, with the rest
taken later than it is seen to be.

Any other mutant may take the same steps for ever and differ only in what no step looks at.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve

from fencepost.exec.codegen import Steps, compile_steps
from fencepost.mutate.ground import Ground
from fencepost.mutate.mutant import Change
from fencepost.mutate.splits import rest_of


def makes_no_difference(ground: Ground, change: Change, compiled: Steps, seen: Collection[int]) -> bool:
    """Whether that holds in all these states, which are all that the mutant comes to."""
    rest = rest_of(change.action)
    names = [instance.action.name for instance in compiled.instances]
    numbers: Mapping[object, int] = {instance.label: instance.number for instance in ground.instances}
    wanted = [numbers.get(instance.label, -1) for instance in compiled.instances]
    taken = {state: compiled.successors(state)[0] for state in seen}
    above = -1 << ground.layout.bits

    def whole(state: int) -> int | None:
        """The original's state: everybody has taken the rest. None if somebody cannot."""
        while state & above:
            after = next((after for item, after in taken[state] if names[item] == rest), None)
            if after is None:
                return None
            state = after
        return state

    ends = {state: whole(state) for state in seen}
    for state, steps in taken.items():
        here = ends[state]
        if here is None or here not in ground.steps:
            return False
        theirs = set(ground.steps[here])
        for item, after in steps:
            there = ends[after]
            if names[item] == rest:
                if there != here:
                    return False
            elif (wanted[item], there) not in theirs:
                return False
    return True


def takes_the_same_steps(ground: Ground, change: Change, most: int) -> bool:
    """Whether from the initial state on both can take the same steps, by name and arguments, for ever.

    A step leads to one state, so each run of the one leads the other to one state as well: pairs of such states are
    looked at, at most so many.
    """
    lo, hi = ground.range_of(change.action)
    alone = evolve(change.model, actions=(change.model.action(change.action),), properties=())
    mine = compile_steps(alone, ground.layout).successors
    first = (ground.initial, ground.initial)
    waiting, seen = [first], {first}
    while waiting:
        theirs, ours = waiting.pop()
        original = dict(ground.steps[theirs])
        others = ground.steps.get(ours) or ground.successors(ours)[0]
        mutant = {item: after for item, after in others if not lo <= item < hi}
        mutant |= {lo + item: after for item, after in mine(ours)[0]}
        if original.keys() != mutant.keys():
            return False
        for item, after in original.items():
            pair = (after, mutant[item])
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
        if len(seen) > most:
            return False
    return True
