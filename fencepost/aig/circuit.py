"""A model as a sequential circuit: a latch for each bit of its state, and inputs that choose the step.

This is the interface of the room.

    circuit = circuit_of(model)                  # or circuit_of(model, ["no-hang"])
    circuit.bads                                 # {"no-hang": literal, "range:act/x": literal, ...}
    aiger.binary(aiger.design(circuit, ["no-hang"], form=aiger.Form.ABC))

*Latches* are the bits of the packed state (`exec.layout`), named after the element as in traces, with
the number of the bit. *Inputs* are the number of the instance that takes the step, in binary: then no
two can be chosen, the next state is a function without a constraint, and a proof engine has few inputs
to quantify over. Where the number is that of no instance, or of one that is not enabled, the state
stays as it is; `moves` says where it does not. So a run of the circuit is a run of the model with
pauses, the same states are reachable, and none is stuck. Who counts steps asks for `moves` in each.

Every condition is on the state alone, none on the inputs. An obligation of a step is `bad` in the
state from which some instance breaks it: the violation is one step longer than the path to that state.
`within` says that each element is within its sort, which is so in every reachable state. The initial
state is `reset`. A response is not violated in a state and has no bad literal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import field, frozen, mutable

from fencepost.aig.evaluate import Evaluation, Known
from fencepost.aig.graph import FALSE, Graph
from fencepost.aig.scope import OpenScope
from fencepost.aig.words import Word, Words, bits_of, constant
from fencepost.exec.facts import implied
from fencepost.exec.interpreter import Interpreter, State
from fencepost.exec.layout import Layout
from fencepost.exec.lower_body import lower_body
from fencepost.exec.lower_expr import lower
from fencepost.exec.lower_model import Instance as Step
from fencepost.exec.lower_model import instances
from fencepost.exec.scope import Names
from fencepost.ir.expr import Expr, Var
from fencepost.ir.model import Model, Property, PropertyKind, properties_named
from fencepost.verdict import Label

Broken = Mapping[str, int]
"""By an obligation's name, when it is the first to break."""


@frozen
class Latch:
    """One bit of the state: of `value - sort.lo` of an element, or for a set the member of that number."""

    var: Var
    position: int
    bit: int
    literal: int
    reset: int

    @property
    def name(self) -> str:
        """The element as in traces, and the bit if it has several."""
        element = self.var.element(self.position)
        return element if self.var.sort.width == 1 else f"{element}.{self.bit}"


@frozen(eq=False)
class Instance:
    """An action with its arguments: when it may fire, when the inputs choose it and it does, what it breaks.

    `changes` has the next values of the bits that it may change, by their place in the packed state.
    """

    label: Label
    enabled: int
    fires: int
    broken: Broken
    changes: Mapping[int, int] = field(repr=False)


@frozen(eq=False)
class Target:
    """A property in a state: that it is violated, that its twin is reached, what its evaluation breaks."""

    name: str
    violated: int
    twin: int
    broken: Broken


@frozen(eq=False)
class Circuit:
    """The whole model; all literals are in `graph`."""

    model: Model
    graph: Graph = field(repr=False)
    layout: Layout
    inputs: tuple[int, ...]
    """The literals that say which instance steps, the lowest bit of its number first."""
    latches: tuple[Latch, ...] = field(repr=False)
    nexts: tuple[int, ...] = field(repr=False)
    """For each latch, its next value."""
    instances: tuple[Instance, ...] = field(repr=False)
    targets: tuple[Target, ...]
    bads: Mapping[str, int]
    """What must not happen: by name each property that is not a response, then each obligation."""
    moves: int
    within: int

    @property
    def twins(self) -> dict[str, int]:
        """By property, that its twin is reached."""
        return {target.name: target.twin for target in self.targets}

    def bits(self, state: State) -> tuple[int, ...]:
        """The latches' values in a state."""
        return bits_of(self.layout.pack(state), len(self.latches))

    def state(self, bits: Iterable[int]) -> State:
        """The state in which the latches have these values."""
        return self.layout.unpack(sum(bit << place for place, bit in enumerate(bits)))


def circuit_of(model: Model, properties: Collection[str] | None = None) -> Circuit:
    """The circuit of a model, with all its properties or those named.

    Raises:
        UsageError: a property that the model has not.
    """
    properties_named(model, properties)
    return _Builder.of(model).circuit(properties)


@mutable(eq=False)
class _Builder:
    model: Model
    layout: Layout
    graph: Graph
    inputs: tuple[int, ...]
    latches: tuple[Latch, ...]
    names: Names
    known: Known

    @classmethod
    def of(cls, model: Model) -> _Builder:
        graph, layout = Graph(), Layout.of(model)
        last = sum(1 for _ in instances(model)) - 1
        inputs = tuple(graph.free() for _ in range(max(last, 0).bit_length()))
        initial = bits_of(layout.pack(Interpreter(model).initial()), layout.bits)
        places = [(var, at, bit) for var in model.vars for at in range(var.count) for bit in range(var.sort.width)]
        latches = tuple(Latch(*where, graph.free(), reset) for where, reset in zip(places, initial, strict=True))
        return cls(model, layout, graph, inputs, latches, Names(), Known())

    def circuit(self, properties: Collection[str] | None) -> Circuit:
        wanted = [prop for prop in self.model.properties if properties is None or prop.name in properties]
        steps = tuple(map(self._instance, instances(self.model)))
        targets = tuple(map(self._target, wanted))
        return Circuit(
            self.model,
            self.graph,
            self.layout,
            self.inputs,
            self.latches,
            tuple(self._next(place, steps) for place in range(len(self.latches))),
            steps,
            targets,
            self._bads(steps, targets),
            self.graph.any_of(step.fires for step in steps),
            self.graph.all_of(self._within()),
        )

    def _evaluation(self) -> Evaluation:
        return Evaluation(self.graph, tuple(latch.literal for latch in self.latches), self.known)

    def _instance(self, step: Step) -> Instance:
        action, evaluation = step.action, self._evaluation()
        params = {param.name: value for param, value in zip(action.params, step.args, strict=True)}
        scope = OpenScope.fresh(self.layout, self.names, action.name, params)
        for guard in action.guards:
            cond = lower(guard.cond, scope)
            evaluation.reached = self.graph.both(evaluation.reached, evaluation.truth(cond))
            scope.learn(implied(cond))
        changes: dict[int, int] = {}
        if evaluation.reached != FALSE:
            after = lower_body(action.body, scope.start, scope)
            evaluation.run(scope.block())
            for offset, (value, slot) in after.pending.items():
                word = evaluation.words.fit(evaluation.value(value), 0, slot.size - 1)
                changes |= self._changed(offset, word, slot.width)
        chosen = self.graph.all_of(
            literal ^ want ^ 1
            for literal, want in zip(self.inputs, bits_of(step.number, len(self.inputs)), strict=True)
        )
        enabled = evaluation.survived
        return Instance(step.label, enabled, self.graph.both(chosen, enabled), self._named(evaluation), changes)

    def _changed(self, offset: int, word: Word, width: int) -> dict[int, int]:
        bits = Words(self.graph).distance(word, 0, width)
        pairs = zip(range(offset, offset + width), bits, strict=True)
        return {place: bit for place, bit in pairs if bit != self.latches[place].literal}

    def _named(self, evaluation: Evaluation) -> dict[str, int]:
        names = list(self.names.obligations)
        return {names[number]: literal for number, literal in evaluation.broken.items()}

    def _next(self, place: int, steps: tuple[Instance, ...]) -> int:
        """The old value where no step changes it, else the value that the chosen one gives it."""
        writers: dict[int, list[int]] = {}
        for step in steps:
            if place in step.changes and step.fires != FALSE:
                writers.setdefault(step.changes[place], []).append(step.fires)
        value = self.latches[place].literal
        for new, fires in writers.items():
            value = self.graph.choose(self.graph.any_of(fires), new, value)
        return value

    def _target(self, prop: Property) -> Target:
        holds, broken = self._judged(prop.holds, prop.name)
        twin, twin_broken = self._judged(prop.twin, prop.name)
        both = {
            name: self.graph.either(broken.get(name, FALSE), twin_broken.get(name, FALSE))
            for name in (*broken, *twin_broken)
        }
        clear = self.graph.any_of(broken.values()) ^ 1
        twin_clear = self.graph.any_of(twin_broken.values()) ^ 1
        return Target(prop.name, self.graph.both(holds ^ 1, clear), self.graph.both(twin, twin_clear), both)

    def _bads(self, steps: tuple[Instance, ...], targets: tuple[Target, ...]) -> dict[str, int]:
        responses = {prop.name for prop in self.model.properties if prop.kind is PropertyKind.RESPONSE}
        found = {target.name: target.violated for target in targets if target.name not in responses}
        for broken in (*(target.broken for target in targets), *(step.broken for step in steps)):
            for name, literal in broken.items():
                found[name] = self.graph.either(found.get(name, FALSE), literal)
        return found

    def _judged(self, expr: Expr, where: str) -> tuple[int, dict[str, int]]:
        """A condition on the state, and what its evaluation breaks."""
        evaluation = self._evaluation()
        value = evaluation.truth(lower(expr, OpenScope.fresh(self.layout, self.names, where, {})))
        return value, self._named(evaluation)

    def _within(self) -> Iterator[int]:
        words = Words(self.graph)
        for var in self.model.vars:
            slot, most = self.layout.slots[var], (1 << var.sort.width) - 1
            for place in range(var.count) if slot.size <= most else ():
                at = slot.at(place)
                bits = tuple(latch.literal for latch in self.latches[at : at + slot.width])
                yield words.less(constant(slot.size - 1), Word(0, most, bits)) ^ 1
