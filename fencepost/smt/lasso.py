"""Runs without an end as formulas: a run of a length whose last state is one that it was in before.

Beside the frames of an unrolling there is one more state, the one that the loop begins in. `again`
says of a frame that it is in the loop: from where the run is in that state on. What fairness asks of
the loop is gathered from frame to frame, so that a question is a few literals of its last frame and
nothing is asked again at the next length. Each definition is an implication: it may be used where it
holds, and nothing is lost where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, frozen, mutable

from fencepost.ir.fairness import Groups
from fencepost.ir.model import Fairness
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, conj, disj, iff, implies, neg
from fencepost.smt.kernel import BoolTerm, Substitution, Term
from fencepost.smt.system import System, Target
from fencepost.smt.unroll import Unrolling


@frozen(eq=False)
class _Owed:
    """A fair group: its instances, and whether it is enabled in the template state."""

    number: int
    fair: Fairness
    instances: tuple[int, ...]
    enabled: Bit

    def name(self, what: str, frame: int) -> BoolTerm:
        """A literal of this group at a frame."""
        return kernel.boolean(f"{what}{self.number}@{frame}")


def _owed(system: System) -> Iterator[_Owed]:
    groups = Groups.of(system.model)
    members: dict[int, list[int]] = {}
    for position, instance in enumerate(system.instances):
        name, args = instance.label
        members.setdefault(groups.number(system.model.action(name), args), []).append(position)
    for number, group in enumerate(groups.every):
        enabled = disj(system.instances[position].wanted for position in members.get(number, []))
        if enabled is not False:
            yield _Owed(number, group.fair, tuple(members[number]), enabled)


@mutable(eq=False)
class Lassos:
    """The loops of an unrolling's runs; frames are added as they are asked about."""

    runs: Unrolling
    owed: tuple[_Owed, ...] = field(init=False)
    begin: tuple[Term, ...] = field(init=False)
    frames: int = field(default=0, init=False)
    """How many frames are described."""

    def __attrs_post_init__(self) -> None:
        self.owed = tuple(_owed(self.runs.system))
        self.begin = tuple(kernel.renamed(const, "~") for const in self.runs.system.consts)

    def again(self, frame: int) -> BoolTerm:
        """The literal that says that a frame is in the loop."""
        return kernel.boolean(f"again@{frame}")

    def begins(self, frame: int) -> BoolTerm:
        """The literal that says that the loop begins at a frame."""
        return kernel.boolean(f"begins@{frame}")

    def closed(self, frame: int) -> Bit:
        """That a loop ends in this frame, and is fair."""
        while self.frames <= frame:
            for bit in self._described(self.frames):
                self.runs.solver.add(bit)
            self.frames += 1
        return conj((self.again(frame), self._is_begin(frame), *(_paid(group, frame) for group in self.owed)))

    def _is_begin(self, frame: int) -> Bit:
        pairs = zip(self.runs.frames[frame], self.begin, strict=True)
        return conj(kernel.equals(const, begin) for const, begin in pairs)

    def _described(self, at: int) -> Iterator[Bit]:
        """What is true of a frame."""
        yield implies(self.begins(at), self._is_begin(at))
        before: Bit = self.again(at - 1) if at else False
        yield implies(self.again(at), disj((before, self.begins(at))))
        yield implies(before, self.again(at))
        yield self._enabled(at)
        for group in self.owed:
            took = self._took(group, at)
            enabled, earlier = group.name("enabled", at), at > 0
            match group.fair:
                case Fairness.WEAK:
                    idle = conj((self.again(at), neg(enabled)))
                    old: Bit = earlier and group.name("paid", at - 1)
                    yield implies(group.name("paid", at), disj((old, idle, took)))
                case Fairness.STRONG:
                    old = earlier and group.name("taken", at - 1)
                    yield implies(group.name("taken", at), disj((old, took)))
                    quiet: Bit = group.name("quiet", at - 1) if earlier else True
                    yield implies(group.name("quiet", at), conj((quiet, disj((neg(self.again(at)), neg(enabled))))))
                case Fairness.NONE:
                    pass

    def _enabled(self, at: int) -> Bit:
        told = conj(iff(kernel.boolean(f"enabled{group.number}"), group.enabled) for group in self.owed)
        if isinstance(told, bool):
            return told
        template = [kernel.boolean(f"enabled{group.number}") for group in self.owed]
        copies = [group.name("enabled", at) for group in self.owed]
        copy = Substitution((*self.runs.system.consts, *template), (*self.runs.frames[at], *copies))
        return copy(told)

    def _took(self, group: _Owed, at: int) -> Bit:
        """That the step to this frame is one of the group, and of the loop."""
        if not at:
            return False
        return conj((self.again(at - 1), disj(self.runs.selectors[at - 1][i] for i in group.instances)))


def _paid(group: _Owed, frame: int) -> Bit:
    if group.fair is Fairness.WEAK:
        return group.name("paid", frame)
    return disj((group.name("taken", frame), group.name("quiet", frame)))


@mutable(eq=False)
class Waits:
    """That a response waits for ever, in one of its cases, on a run of some length that ends in a fair loop."""

    lassos: Lassos
    target: Target
    frames: int = field(default=0, init=False)

    def at(self, frame: int) -> Bit:
        """The run of that many steps waits from somewhere on, and all through its loop."""
        closed = self.lassos.closed(frame)
        while self.frames <= frame:
            for bit in self._described(self.frames):
                self.lassos.runs.solver.add(bit)
            self.frames += 1
        return conj((closed, disj(self._picks), self._name("pending", frame), self._name("calm", frame)))

    @property
    def _picks(self) -> Sequence[BoolTerm]:
        return [self._name("pick", number) for number in range(len(self.target.cases))]

    def _name(self, what: str, number: int) -> BoolTerm:
        return kernel.boolean(f"{what} {self.target.name}@{number}")

    def _described(self, at: int) -> Iterator[Bit]:
        """What is true of a frame, for the case that is picked."""
        runs, picks = self.lassos.runs, self._picks
        met = [implies(pick, runs.at(at, case.unmet)) for pick, case in zip(picks, self.target.cases, strict=True)]
        asked = [implies(pick, runs.at(at, case.trigger)) for pick, case in zip(picks, self.target.cases, strict=True)]
        before: Bit = self._name("pending", at - 1) if at else False
        yield implies(self._name("pending", at), conj((*met, disj((before, conj(asked))))))
        calm: Bit = self._name("calm", at - 1) if at else True
        yield implies(self._name("calm", at), conj((calm, disj((neg(self.lassos.again(at)), conj(met))))))
