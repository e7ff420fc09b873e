"""The one trace type: a run to a violation, complete in itself.

A trace says all that its renderers print, so that it can be read years later and without the
model. It knows the sorts of its own variables and arguments; values are the interpreter's.
"""

from __future__ import annotations

from attrs import field, frozen

from fencepost.exec.changed import changed
from fencepost.exec.interpreter import State
from fencepost.ir.expr import Param, Var
from fencepost.ir.sorts import show
from fencepost.verdict import Path

SCHEMA = 1
"""Version of what is stored. A reader takes this one only."""


@frozen
class Header:
    """What was checked, and what went wrong. `violated` is a property's name or an obligation's.

    `digest` is the model's (see `fencepost.ir.digest`).
    """

    protocol: str
    variant: str | None
    sizes: tuple[tuple[str, int], ...]
    features: tuple[str, ...]
    without: tuple[str, ...]
    digest: str
    violated: str
    statement: str
    protects: str = ""
    schema: int = SCHEMA


@frozen
class TraceAction:
    """An action that the trace takes: its parameters and the source that it stands for."""

    name: str
    params: tuple[Param, ...]
    src: str


@frozen
class Subject:
    """One value of an index sort, such as handle 1, whose life the notes tell."""

    sort: str
    value: int


@frozen
class Event:
    """A note that ran in a step."""

    text: str
    subject: Subject | None = None


@frozen
class Step:
    """One step. `state` is the state after it; the state before it again where the step broke an obligation.

    `broken` then says how.
    """

    actor: str
    action: TraceAction
    args: tuple[int, ...]
    state: State
    notes: tuple[Event, ...] = ()
    broken: str = ""

    @property
    def call(self) -> str:
        """The action with its arguments by name, such as `rearm(slot=1)`."""
        shown = (f"{p.name}={show(p.sort, value)}" for p, value in zip(self.action.params, self.args, strict=True))
        return f"{self.action.name}({', '.join(shown)})"

    @property
    def is_milestone(self) -> bool:
        """Whether a reviewer would name it: it has notes, or it is where an obligation broke."""
        return bool(self.notes or self.broken)


@frozen
class Change:
    """One element that a step changed, with its values as shown."""

    element: str
    old: str
    new: str


@frozen
class Reading:
    """One value that a condition looked at."""

    element: str
    value: str


@frozen
class Bound:
    """The value of a quantifier's variable for which its body fails."""

    name: str
    sort: str
    value: str


@frozen
class Blocked:
    """A progress step that cannot be taken where something is outstanding, and what its guard looked at."""

    call: str
    guard: str
    readings: tuple[Reading, ...] = ()


@frozen
class Explanation:
    """Why the last state violates the property.

    `fails` is the conjunct that fails, for the values `bindings`, although `given` hold; `readings`
    are the values it looked at. Of a hang, `blocked` has the progress steps with the guard that
    refuses each, and `earlier` is how many more there are that fail their first guard. Of an
    obligation, `fails` says what was broken. `blames` are the subjects at fault.
    """

    fails: str
    bindings: tuple[Bound, ...] = ()
    given: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    earlier: int = 0
    blames: tuple[Subject, ...] = ()


@frozen
class Starved:
    """A step that is enabled again and again in a loop and never taken, and is not owed a turn.

    After step `after` its guard refuses it, and weak fairness owes only what is enabled all the time.
    """

    call: str
    after: int
    guard: str
    readings: tuple[Reading, ...] = ()


@frozen
class Lasso:
    """How a run goes on for ever: back to the state after step `back` (0 for the initial one), and so on.

    If that is the last state, nothing more happens. What is waited for is asked for after step `since`.
    """

    back: int
    since: int
    starved: tuple[Starved, ...] = ()


@frozen
class Trace:
    """A run from the initial state (`init` of `vars`) to a violation, or one that goes on for ever."""

    header: Header
    vars: tuple[Var, ...]
    steps: tuple[Step, ...]
    explanation: Explanation = field(kw_only=True)
    lasso: Lasso | None = field(default=None, kw_only=True)

    @property
    def ending(self) -> str:
        """What happens for ever, such as `then for ever: steps 5 to 7`; empty for a run that ends."""
        if self.lasso is None:
            return ""
        first, last = self.lasso.back + 1, len(self.steps)
        if first > last:
            return "then nothing more happens"
        return f"then for ever: step {last}" if first == last else f"then for ever: steps {first} to {last}"

    @property
    def initial(self) -> State:
        """The state before the first step."""
        return tuple(var.init for var in self.vars)

    @property
    def states(self) -> tuple[State, ...]:
        """The initial state and the one after each step."""
        return (self.initial, *(step.state for step in self.steps))

    @property
    def path(self) -> Path:
        """The steps as labels, as engines give them."""
        return tuple((step.action.name, step.args) for step in self.steps)

    def changes(self, number: int) -> tuple[Change, ...]:
        """What the step of that number, from 1, changed: in the order of the variables."""
        before, after = self.states[number - 1], self.states[number]
        return tuple(Change(each.element, each.old, each.new) for each in changed(self.vars, before, after))
