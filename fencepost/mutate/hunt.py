"""Running one mutant: breadth first, over the original's own steps wherever they are the mutant's too.

A mutant does what the original does until it comes to a state in which a changed action does something
else. So the steps of unchanged actions in the original's states are looked up, not computed, and
properties of those states are known to hold. What is new is computed from generated code.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection

from attrs import evolve, field, frozen, mutable

from fencepost.clock import Clock
from fencepost.exec.codegen import compile_steps
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.exec.layout import Layout
from fencepost.ir.model import GuardKind, Kind, Model, responses
from fencepost.mutate.between import makes_no_difference, takes_the_same_steps
from fencepost.mutate.ground import Ground, Steps
from fencepost.mutate.mutant import Mutant
from fencepost.verdict import Label, Path, Stop


class Fate(enum.Enum):
    """What became of a mutant."""

    KILLED = "killed"
    """A property or an obligation is violated that the original does not violate."""
    COVERAGE = "killed by coverage"
    """A property is vacuous, or an action never fires, where that is not so of the original."""
    EQUIVALENT = "equivalent"
    """No reachable state tells it from the original."""
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    UNTOLD = "not told apart"
    """No state within the depth tells it from the original: that says nothing of it."""


class Behaviour(enum.Enum):
    """How a survivor differs."""

    LESS = "does less"
    """Each step that it takes is one of the original's: it refuses some."""
    SAME_STEPS = "takes the same steps"
    """Of all runs: only what no step looks at is different."""
    SAME_STATES = "comes to the same states"
    """It takes other steps, but to states that the original comes to as well."""
    MORE = "comes to other states"


@frozen
class Difference:
    """A first state that tells a mutant from its original: a run to it, and a step that one of them alone takes."""

    path: Path
    step: Label
    allowed: bool
    """The mutant takes it, the original does not; else the other way round."""


@frozen
class Result:
    """What became of a mutant: `by` what and at which depth it was killed, or how far it was looked at."""

    number: int
    fate: Fate
    by: str = ""
    depth: int = 0
    states: int = 0
    complete: bool = True
    kind: Behaviour | None = None
    difference: Difference | None = None
    proof: str = ""
    """Of an equivalent one, how that is known."""
    seconds: float = 0.0


class _Killed(Exception):
    def __init__(self, by: str, depth: int) -> None:
        self.by, self.depth = by, depth


@frozen
class Cap:
    """How far a mutant is looked at: so many states, and seconds as a last resort."""

    states: int
    seconds: float


@mutable
class Hunt:
    """One mutant under way."""

    ground: Ground
    mutant: Mutant
    cap: Cap
    clock: Clock = field(init=False)
    depth: int = 0
    seen: set[int] = field(factory=set)
    fired: set[str] = field(factory=set)
    twins: set[str] = field(factory=set)
    differs: tuple[int, Label, bool] | None = None
    adds: bool = False
    """Whether it takes a step that the original does not take in that state."""
    news: bool = False
    """Whether it comes to a state that the original does not come to."""

    @clock.default
    def _started(self) -> Clock:
        return Clock(self.cap.seconds)

    def result(self) -> Result:
        """Run it."""
        try:
            stop = self._search()
        except _Killed as killed:
            return self._made(Fate.KILLED, killed.by, killed.depth)
        if stop is Stop.TIMEOUT:
            return self._made(Fate.TIMED_OUT, complete=False)
        complete = stop is Stop.EXHAUSTED
        if complete and self.differs is None and self.ground.complete:
            return evolve(self._made(Fate.EQUIVALENT), proof="no reachable state tells them apart")
        if self.differs is None and not self.mutant.change.added and _alike(self.ground.model, self.mutant):
            return evolve(self._made(Fate.EQUIVALENT, complete=complete), proof="the same step from every state")
        if self.differs is None:
            return self._made(Fate.UNTOLD, complete=False)
        if complete and self.ground.complete and self.mutant.change.added and self._is_never_seen():
            return evolve(self._made(Fate.EQUIVALENT), proof="whatever comes in between could as well come after it")
        by, out_of_time = self._by_responses()
        if by is not None:
            return self._made(Fate.KILLED, *by)
        if out_of_time:
            return self._made(Fate.TIMED_OUT, complete=False)
        if complete and (unseen := self._uncovered()):
            return self._made(Fate.COVERAGE, unseen, self.depth)
        survived = self._made(Fate.SURVIVED, complete=complete)
        known = complete and self.ground.complete and not self.mutant.change.added
        if known and takes_the_same_steps(self.ground, self.mutant.change, self.cap.states):
            return evolve(survived, kind=Behaviour.SAME_STEPS)
        return survived

    def _made(self, fate: Fate, by: str = "", depth: int | None = None, complete: bool = True) -> Result:
        difference = None
        if self.differs is not None and fate is not Fate.KILLED:
            state, label, allowed = self.differs
            difference = Difference(self.ground.path(state), label, allowed)
        kind = None
        if fate in (Fate.SURVIVED, Fate.COVERAGE) and difference is not None:
            kind = Behaviour.MORE if self.news else Behaviour.SAME_STATES if self.adds else Behaviour.LESS
        at = self.depth if depth is None else depth
        return Result(
            self.mutant.number, fate, by, at, len(self.seen), complete, kind, difference, seconds=self.clock.seconds
        )

    def _search(self) -> Stop:
        step = _split_steps(self) if self.mutant.change.added else _changed_steps(self)
        ground = self.ground
        level = [ground.initial]
        self.seen.update(level)
        low = (1 << ground.layout.bits) - 1
        while True:
            self._look(level, low)
            if self.depth == ground.depth:
                return Stop.DEPTH
            new: list[int] = []
            for n, state in enumerate(level):
                for after in step(state):
                    if after not in self.seen:
                        self.seen.add(after)
                        new.append(after)
                if not n & 1023 and self.clock.over:
                    return Stop.TIMEOUT
            if not new:
                return Stop.EXHAUSTED
            if len(self.seen) > self.cap.states:
                return Stop.MEMORY
            self.depth += 1
            level = new

    def _look(self, level: list[int], low: int) -> None:
        """Whether a property is violated in a state of the level that the original does not come to."""
        known, asked = self.ground.marked, self.ground.asked
        new = list(dict.fromkeys(state & low for state in level if state & low not in known))
        if not new:
            return
        self.news = True
        broken: list[str] = []
        hits = asked.marks(new, lambda _state, name: broken.append(name))
        first = len(asked.names) + len(asked.hangs)
        violated = sorted({number for numbers in hits.values() for number in numbers if number < len(asked.names)})
        if violated:
            raise _Killed(asked.names[violated[0]], self.depth)
        for name in broken:
            self.breaks(name, self.depth)
        self.twins.update(asked.twins[n - first] for numbers in hits.values() for n in numbers if n >= first)

    def breaks(self, obligation: str, depth: int) -> None:
        """An obligation is broken."""
        if obligation not in self.ground.violated:
            raise _Killed(obligation, depth)

    def hangs(self, state: int) -> None:
        """Whether nothing can go on here although work is outstanding; asked where no progress step was taken."""
        ground = self.ground
        low = state & ((1 << ground.layout.bits) - 1)
        asked = ground.asked
        if low in ground.marked:
            waiting = ground.outstanding.get(low, ())
        else:
            first, last = len(asked.names), len(asked.names) + len(asked.hangs)
            numbers = asked.marks([low], lambda _state, _name: None).get(low, [])
            waiting = tuple(asked.hangs[n - first] for n in numbers if first <= n < last)
        if waiting and not self._can_progress(state):
            raise _Killed(waiting[0], self.depth)

    def _can_progress(self, state: int) -> bool:
        """Whether some progress action has all its require guards true: then only a bound is in its way."""
        model = self.mutant.change.model
        whole = _layout(self).unpack(state)
        machine = Interpreter(evolve(model, properties=()))
        for action, args in machine.instances():
            if action.kind is not Kind.PROGRESS:
                continue
            required = tuple(guard for guard in action.guards if guard.kind is GuardKind.REQUIRE)
            if isinstance(machine.fire(whole, evolve(action, guards=required, body=()), args), Stepped):
                return True
        return False

    def _is_never_seen(self) -> bool:
        """Of a split, whether the state in between makes no difference to anybody."""
        change = self.mutant.change
        compiled = compile_steps(evolve(change.model, properties=()))
        return makes_no_difference(self.ground, change, compiled, self.seen)

    def _uncovered(self) -> str:
        """A property that is never exercised, or an action that never fires, though the original's is; else nothing."""
        ground = self.ground
        low = (1 << ground.layout.bits) - 1
        lows = self.seen if not self.mutant.change.added else {state & low for state in self.seen}
        for name in sorted(ground.exercised - self.twins):
            if not any(state in lows for state in ground.twins[name]):
                return f"{name} is vacuous"
        for name in sorted(ground.fired - self.fired):
            return f"{name} never fires"
        return ""

    def _by_responses(self) -> tuple[tuple[str, int] | None, bool]:
        """A response that the mutant violates and the original does not, and its length; and whether time was up."""
        from fencepost.explore.bfs import run  # noqa: PLC0415 - SciPy is loaded where needed

        model = self.mutant.change.model
        asked = [prop.name for prop in responses(model.properties) if prop.name not in self.ground.violated]
        if not asked:
            return None, False
        after = None if len(self.seen) < 30_000 else 0.25
        small = evolve(model, properties=tuple(prop for prop in model.properties if prop.name in asked))
        seconds = max(10.0, 4 * self.cap.seconds)
        found = run(small, depth=self.ground.depth, timeout=seconds, properties=asked, compile_after=after)
        named = {finding.name: len(finding.path) for finding in found.findings}
        for name in asked:
            if name in named:
                return (name, named[name]), False
        return None, bool(found.partial)


def _layout(hunt: Hunt) -> Layout:
    return Layout.of(hunt.mutant.change.model) if hunt.mutant.change.added else hunt.ground.layout


Step = Callable[[int], Collection[int]]


def _changed_steps(hunt: Hunt) -> Step:
    """The next states of a state, where one action is changed and no variable is added."""
    ground, change = hunt.ground, hunt.mutant.change
    lo, hi = ground.range_of(change.action)
    alone = evolve(change.model, actions=(change.model.action(change.action),), properties=())
    mine = compile_steps(alone, ground.layout)
    successors, obligations = mine.successors, mine.obligations
    base, steps = ground.successors, ground.steps
    progress = [ground.progress(instance.number) for instance in ground.instances]
    names = [instance.action.name for instance in ground.instances]
    fired, taken = hunt.fired, set[int]()

    def step(state: int) -> list[int]:
        theirs = steps.get(state)
        new, bad = successors(state)
        for _, obligation in bad:
            hunt.breaks(obligations[obligation], hunt.depth + 1)
        if theirs is None:
            theirs, worse = base(state)
            for item, obligation in worse:
                if not lo <= item < hi:
                    hunt.breaks(ground.obligations[obligation], hunt.depth + 1)
        elif hunt.differs is None or not hunt.adds:
            old = [(item - lo, after) for item, after in theirs if lo <= item < hi]
            if old != new:
                _note(hunt, state, old, new, lo)
        onward = False
        out = []
        for item, after in theirs:
            if lo <= item < hi:
                continue
            out.append(after)
            if item not in taken:
                taken.add(item)
                fired.add(names[item])
            onward = onward or progress[item]
        if new:
            fired.add(change.action)
            out += [after for _, after in new]
            onward = onward or progress[lo]
        if not onward:
            hunt.hangs(state)
        return out

    return step


def _note(hunt: Hunt, state: int, old: Steps, new: Steps, lo: int) -> None:
    """Keep the first difference; one that the mutant alone takes goes before one that it refuses."""
    instances = hunt.ground.instances
    more = [item for item, after in new if (item, after) not in old]
    less = [item for item, after in old if (item, after) not in new]
    hunt.adds = hunt.adds or bool(more)
    if (hunt.differs is None or (more and not hunt.differs[2])) and (more or less):
        item = more[0] if more else less[0]
        hunt.differs = (state, instances[lo + item].label, bool(more))


def _split_steps(hunt: Hunt) -> Step:
    """The next states of a state of a model with variables of its own."""
    ground, change = hunt.ground, hunt.mutant.change
    compiled = compile_steps(evolve(change.model, properties=()))
    successors, obligations = compiled.successors, compiled.obligations
    progress = [instance.action.kind is Kind.PROGRESS for instance in compiled.instances]
    names = [instance.action.name for instance in compiled.instances]
    labels = [instance.label for instance in compiled.instances]

    def step(state: int) -> list[int]:
        out, bad = successors(state)
        for _, obligation in bad:
            hunt.breaks(obligations[obligation], hunt.depth + 1)
        for item, _ in out:
            hunt.fired.add(names[item])
            if hunt.differs is None and names[item] == change.action:
                hunt.adds = True
                hunt.differs = (state & (1 << ground.layout.bits) - 1, labels[item], True)
        if not any(progress[item] for item, _ in out):
            hunt.hangs(state)
        return [after for _, after in out]

    return step


def _alike(original: Model, mutant: Mutant) -> bool:
    from fencepost.mutate.alike import alike  # noqa: PLC0415 - Z3 is loaded only where it is asked for

    name = mutant.change.action
    return alike(original, original.action(name), mutant.change.model.action(name))
