"""A Hypothesis state machine made from a model: what `pytest` runs, and the second half of the engine `walk`.

Generated code says which steps are enabled; the reference interpreter takes each step that is taken,
so a run of the machine is a test of the generated code as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import field, frozen, mutable
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fencepost.errors import InternalError
from fencepost.exec.codegen import Watches, compile_watches
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.exec.lower_model import Instance, Watch
from fencepost.ir.model import Model, Property
from fencepost.ir.sorts import show
from fencepost.stateful.player import Player
from fencepost.verdict import Finding, Path


class PropertyViolated(AssertionError):
    """A run came to a violation. The message has the property's statement and the steps."""

    def __init__(self, finding: Finding, message: str) -> None:
        self.finding = finding
        super().__init__(message)


@frozen
class EnabledStep:
    """A step that can be taken, shown as `dispatch(queue=0)`."""

    instance: Instance = field(repr=False)

    def __repr__(self) -> str:
        action = self.instance.action
        values = zip(action.params, self.instance.args, strict=True)
        return f"{action.name}({', '.join(f'{param.name}={show(param.sort, value)}' for param, value in values)})"


@mutable
class Watched:
    """What runs of a machine look for, and the code that they share."""

    player: Player
    interpreter: Interpreter
    properties: Sequence[Property]
    watches: Watches
    report: Callable[[Finding], None]
    tick: Callable[[], None]

    @classmethod
    def of(
        cls,
        player: Player,
        properties: Sequence[Property],
        report: Callable[[Finding], None] | None,
        tick: Callable[[], None],
    ) -> Watched:
        """Compile the properties; each violation is reported, or raised if `report` is None."""
        watches = [Watch(prop.name, prop.holds, False) for prop in properties]
        compiled = compile_watches(player.steps.layout, watches)
        return cls(player, Interpreter(player.model), properties, compiled, report or _raising(player), tick)

    def look(self, state: int, path: Path) -> None:
        """Report every property violated in the state, and every obligation that it breaks."""
        self.tick()
        found: list[Finding] = []

        def hit(_state: int, number: int, obligation: int) -> None:
            broken = obligation >= 0
            name = self.watches.obligations[obligation] if broken else self.properties[number].name
            found.append(Finding(name, path, in_state=broken))

        self.watches.check((state,), hit)
        for item, obligation in self.player.moves(state).broken.items():
            found.append(Finding(obligation, (*path, *self.player.path([item]))))
        for finding in sorted(found, key=lambda finding: finding.name):
            self.report(finding)


class ModelMachine(RuleBasedStateMachine):
    """One run of a model: `step` takes any step that is enabled, `idle` none.

    There is always a rule to take, since Hypothesis raises InvalidDefinition in a state without one,
    and a state in which nothing can happen is no fault (a hang is a property).
    """

    watched: Watched

    def __init__(self) -> None:
        super().__init__()
        self.path: Path = ()
        self.state = self.watched.player.initial
        self._exact = self.watched.interpreter.initial()

    @property
    def can_step(self) -> bool:
        """Whether any step is enabled."""
        return bool(self.watched.player.moves(self.state).steps)

    @precondition(lambda self: self.can_step)
    @rule(data=st.data())
    def step(self, data: st.DataObject) -> None:
        """Take one of the enabled steps."""
        player = self.watched.player
        steps = player.moves(self.state).steps
        taken = data.draw(st.sampled_from([EnabledStep(player.steps.instances[item]) for item in sorted(steps)]))
        instance = taken.instance
        outcome = self.watched.interpreter.fire(self._exact, instance.action, instance.args)
        self.state = steps[instance.number]
        self.path = (*self.path, instance.label)
        if not isinstance(outcome, Stepped) or player.steps.layout.pack(outcome.state) != self.state:
            raise InternalError(f"generated code and interpreter differ at step {len(self.path)}, {taken!r}")
        self._exact = outcome.state

    @rule()
    def idle(self) -> None:
        """Nothing happens."""

    @invariant()
    def holds(self) -> None:
        """Every property holds, and no step that could be tried breaks an obligation."""
        self.watched.look(self.state, self.path)


def machine(
    model: Model,
    *,
    player: Player | None = None,
    report: Callable[[Finding], None] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> type[ModelMachine]:
    """A state machine class of a model: its `.TestCase` is for pytest, or run it by `run_state_machine_as_test`.

    Args:
        model: what to run; its properties and obligations are the machine's invariants.
        player: the model's steps, if they are compiled already.
        report: told of each violation; if None, the machine raises `PropertyViolated`.
        tick: called in each state; what it raises ends the run.
    """
    watched = Watched.of(player or Player.of(model), model.properties, report, tick)
    return type(_class_name(model), (ModelMachine,), {"watched": watched})


def _class_name(model: Model) -> str:
    words = f"{model.protocol} {model.variant or ''}".replace("-", " ").replace("_", " ").split()
    return "".join(word.capitalize() for word in words) or "Machine"


def _raising(player: Player) -> Callable[[Finding], None]:
    kinds: dict[str, type[PropertyViolated]] = {}

    def report(finding: Finding) -> None:
        # Hypothesis takes failures of one class for one failure, and may shrink from one property to another.
        kind = kinds.setdefault(finding.name, type("PropertyViolated", (PropertyViolated,), {}))
        statement = next((prop.statement for prop in player.model.properties if prop.name == finding.name), "")
        raise kind(finding, f"{finding.name} is violated after {len(finding.path)} steps. {statement}".rstrip())

    return report
