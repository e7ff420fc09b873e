"""A model as a symbolic transition system over one state of Z3 constants."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import frozen

from fencepost.exec.interpreter import State
from fencepost.ir.cases import cases
from fencepost.ir.expr import Var
from fencepost.ir.model import Model, Property, properties_named
from fencepost.ir.sorts import BoolSort, SetSort, Sort
from fencepost.smt import kernel, values
from fencepost.smt.bits import Bit, conj, disj, neg, term
from fencepost.smt.discharge import Discharge, Filter, keep_all
from fencepost.smt.evaluate import Store
from fencepost.smt.execute import Broken, fire, judge
from fencepost.smt.kernel import Term
from fencepost.smt.values import Members, Num, Value
from fencepost.verdict import Label


@frozen(eq=False)
class Slot:
    """One element of the state, in the order of `model.vars` and row-major in each.

    `consts` are the Z3 constants that stand for it: one Boolean or one bit vector, or for a set
    one Boolean a member; none where the sort has one value.
    """

    var: Var
    position: int
    value: Value
    consts: tuple[Term, ...]

    @property
    def sort(self) -> Sort:
        return self.var.sort

    @property
    def well_formed(self) -> Bit:
        """That the element is within its sort, which its bits may not be."""
        if not isinstance(self.value, Num):
            return True
        sort = self.sort
        every = Num(sort.lo, sort.lo + (1 << sort.width) - 1, self.value.offset)
        return values.inside(every, sort.lo, sort.hi)

    def literals(self, value: int) -> tuple[Term, ...]:
        """The constants' values where the element has the value given."""
        match self.sort:
            case BoolSort():
                return (kernel.truth(bool(value)),)
            case SetSort(of):
                return tuple(kernel.truth(bool(value >> i & 1)) for i in range(of.count))
            case sort:
                return (kernel.literal(value - sort.lo, sort.width),) if sort.width else ()

    def terms(self, value: Value) -> tuple[Term, ...]:
        """The constants' values where the element has the symbolic value given."""
        match self.sort:
            case BoolSort():
                return (term(values.bit(value)),)
            case SetSort():
                return tuple(map(term, values.members(value).bits))
            case sort:
                return (values.distance(values.number(value), sort.lo, sort.width),) if sort.width else ()

    def read(self, found: Sequence[Term]) -> int:
        """The element's value from the literals that its constants have."""
        numbers = map(kernel.number_in, found)
        if isinstance(self.sort, SetSort):
            return sum(number << i for i, number in enumerate(numbers))
        return self.sort.lo + next(numbers, 0)


@frozen(eq=False)
class Instance:
    """An action with its arguments: when it may fire, what it breaks, and the elements it may change.

    `wanted` says that it may fire for all that the `require` guards say; then only a bound, or an
    obligation that it breaks, can be in its way.
    """

    label: Label
    enabled: Bit
    wanted: Bit
    broken: Broken
    changes: Mapping[int, Value]


@frozen(eq=False)
class Asked:
    """One case of a response on the state: that it is triggered, and that what it asks for does not hold."""

    trigger: Bit
    unmet: Bit


@frozen(eq=False)
class Target:
    """A property on the state: when it is violated, when its twin is reached, what its evaluation breaks.

    A response is not violated in a state; it has `cases`.
    """

    name: str
    violated: Bit
    twin: Bit
    broken: Broken
    cases: tuple[Asked, ...] = ()


@frozen(eq=False)
class System:
    """The whole model over the constants of `slots`."""

    model: Model
    slots: tuple[Slot, ...]
    instances: tuple[Instance, ...]
    targets: tuple[Target, ...]

    @property
    def consts(self) -> tuple[Term, ...]:
        """Every constant of the state."""
        return tuple(const for slot in self.slots for const in slot.consts)

    def literals(self, state: State) -> tuple[Term, ...]:
        """The values of `consts` in a state."""
        flat = itertools.chain.from_iterable(state)
        return tuple(lit for slot, value in zip(self.slots, flat, strict=True) for lit in slot.literals(value))

    def state(self, found: Sequence[Term]) -> State:
        """The state in which `consts` have the values given."""
        rest = iter(found)
        flat = iter([slot.read([next(rest) for _ in slot.consts]) for slot in self.slots])
        return tuple(tuple(itertools.islice(flat, var.count)) for var in self.model.vars)


def lower(model: Model, properties: Collection[str] | None = None, *, discharge: bool = True) -> System:
    """Lower a model, with all its properties or those named.

    Args:
        model: what to lower.
        properties: names of the properties to lower (all if None).
        discharge: leave out obligations that break in no state whose elements are within their sorts.

    Raises:
        UsageError: a property that the model has not.
    """
    wanted = properties_named(model, properties)
    slots = tuple(_slots(model))
    flat = iter(slots)
    store: Store = {var: tuple(next(flat).value for _ in range(var.count)) for var in model.vars}
    still_open = Discharge(conj(slot.well_formed for slot in slots)) if discharge else keep_all
    return System(
        model,
        slots,
        tuple(_instances(model, store, still_open)),
        tuple(_target(prop, store, still_open) for prop in wanted),
    )


def _slots(model: Model) -> Iterator[Slot]:
    for var in model.vars:
        for position in range(var.count):
            yield _slot(var, position)


def _slot(var: Var, position: int) -> Slot:
    name, sort = var.element(position), var.sort
    match sort:
        case BoolSort():
            const = kernel.boolean(name)
            return Slot(var, position, const, (const,))
        case SetSort(of):
            consts = tuple(kernel.boolean(f"{name}.{i}") for i in range(of.count))
            return Slot(var, position, Members(consts), consts)
        case _ if sort.width == 0:
            return Slot(var, position, Num(sort.lo, sort.lo), ())
        case _:
            offset = kernel.vector(name, sort.width)
            return Slot(var, position, Num(sort.lo, sort.hi, offset), (offset,))


def _instances(model: Model, store: Store, still_open: Filter) -> Iterator[Instance]:
    for action in model.actions:
        for args in itertools.product(*(param.sort.values() for param in action.params)):
            outcome = fire(action, args, store, still_open)
            wanted = disj((outcome.enabled, outcome.held, *outcome.broken.values()))
            changes = _changes(store, outcome.after)
            yield Instance((action.name, args), outcome.enabled, wanted, outcome.broken, changes)


def _changes(before: Store, after: Store) -> dict[int, Value]:
    found: dict[int, Value] = {}
    position = 0
    for var, olds in before.items():
        news = after[var]
        if news is not olds:
            for at, (old, new) in enumerate(zip(olds, news, strict=True)):
                if not values.identical(old, new):
                    found[position + at] = new
        position += len(olds)
    return found


def _target(prop: Property, store: Store, still_open: Filter) -> Target:
    holds = judge(prop.holds, store, prop.name, still_open)
    twin = judge(prop.twin, store, prop.name, still_open)
    broken = _merged(holds.broken, twin.broken)
    if prop.response is None:
        return Target(prop.name, holds.fails, twin.holds, broken)
    sides = [
        [judge(condition, store, prop.name, still_open) for condition in (case.trigger, case.goal)]
        for case in cases(prop)
    ]
    for judged in itertools.chain.from_iterable(sides):
        broken = _merged(broken, judged.broken)
    clear = neg(disj(broken.values()))
    asked = tuple(Asked(trigger.holds, conj((goal.fails, clear))) for trigger, goal in sides)
    return Target(prop.name, False, twin.holds, broken, asked)


def _merged(one: Broken, other: Broken) -> Broken:
    return {name: disj((one.get(name, False), other.get(name, False))) for name in (*one, *other)}
