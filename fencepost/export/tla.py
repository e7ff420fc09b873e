"""TLA+ for TLC and Apalache: functions and records, an operator an action, fairness, responses, and a `.cfg`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from fencepost.export.formats import Exported
from fencepost.export.header import header_lines
from fencepost.export.naming import plain
from fencepost.export.tla_body import Chain, assigned, tidy
from fencepost.export.tla_expr import Scope, facts, in_order, obliged, say
from fencepost.export.tla_state import Sorts, TlaNames, depth, lay_out, set_of, start_of, type_of
from fencepost.export.tla_text import (
    Bound,
    Doc,
    Implies,
    Joined,
    Let,
    LetIn,
    Ref,
    Text,
    after,
    conj,
    defined,
    flat,
    layout,
)
from fencepost.ir.expr import LoopVar, Param
from fencepost.ir.model import Action, Fairness, GuardKind, Model, Property, PropertyKind
from fencepost.ir.sorts import IndexSort, sort_name

_WHY_BOUNDS = (
    "Guards that only keep the model finite are marked `bound`. For fairness they count as guards here:",
    "a run that nothing but a bound stops may violate a response here, and is called cut by fencepost.",
)


def export(model: Model) -> Exported:
    """A module of the model, and the configuration with which TLC checks it.

    The file has to be called as the module is.
    """
    writer = _Writer.of(model)
    module, cfg = writer.module(), writer.cfg()
    return Exported("\n".join(module) + "\n", {".cfg": "\n".join(cfg) + "\n"})


@frozen
class _Writer:
    model: Model
    name: str
    scope: Scope
    actions: dict[str, str]
    """What each action's operator is called."""
    obliging: dict[str, str]
    """What the operator is called that says what evaluating an action or property obliges to; for all of them."""
    properties: dict[str, str]
    twins: dict[str, str]

    @classmethod
    def of(cls, model: Model) -> _Writer:
        names = TlaNames.start()
        laid = lay_out(model, names)
        sorts = Sorts(names)
        for node in laid.roots.values():
            set_of(node, sorts)
        for action in model.actions:
            for param in action.params:
                sorts.values(param.sort)
        now = {root: root for root in laid.roots}
        actions = {action.name: names.fresh(action.name) for action in model.actions}
        properties = {prop.name: names.fresh(_unlike(prop.name, names, "property")) for prop in model.properties}
        twins = {prop.name: names.fresh(f"{prop.name}_twin") for prop in model.properties}
        title = model.protocol if model.variant is None else f"{model.protocol}_{model.variant}"
        module = names.fresh(_unlike(title, names, "module"))
        every = (*actions.items(), *properties.items())
        obliging = {name: names.fresh(f"{called}_obliges") for name, called in every}
        return cls(model, module, Scope(laid, sorts, names, {0: now}), actions, obliging, properties, twins)

    def module(self) -> list[str]:
        """The lines of the module."""
        # Written first: what they mention decides what has to be defined.
        actions = [self._action(action) for action in self.model.actions]
        properties = [self._property(prop) for prop in self.model.properties]
        state = list(self._state())
        body = [line for block in (*actions, *properties) for line in (*block, "")]
        helpers = list(self._helpers("\n".join(body)))
        head = [
            f"---- MODULE {self.name} ----",
            *(f"\\* {line}" for line in header_lines(self.model)),
            *self._remarks(),
            "EXTENDS Integers, FiniteSets",
            "",
            *helpers,
        ]
        blocks = [line for block in actions for line in (*block, "")]
        checked = [line for block in properties for line in (*block, "")]
        return [*head, *state, *blocks, *self._next(), *self._spec(), *self._obligations(), *checked, "===="]

    def _remarks(self) -> Iterator[str]:
        yield "\\* The sizes are those of the model as it was built: another size is another export."
        guards = [guard for action in self.model.actions for guard in action.guards]
        if any(guard.kind is GuardKind.BOUND for guard in guards):
            yield from (f"\\* {line}" for line in _WHY_BOUNDS)

    def _helpers(self, text: str) -> Iterator[str]:
        yield "None == -1"
        yield from self.scope.sorts.definitions
        if "Sum([" in text:
            yield ""
            yield "\\* The sum of the values of a function."
            yield "RECURSIVE Sum(_)"
            yield "Sum(f) == IF DOMAIN f = {} THEN 0"
            yield "          ELSE LET x == CHOOSE x \\in DOMAIN f : TRUE"
            yield "               IN  f[x] + Sum([y \\in DOMAIN f \\ {x} |-> f[y]])"
        yield ""

    def _state(self) -> Iterator[str]:
        scope, roots = self.scope, self.scope.layout.roots
        ghosts = {scope.layout.places[var].root for var in self.model.vars if var.ghost}
        yield "VARIABLES"
        for number, (root, node) in enumerate(roots.items(), 1):
            yield f"    \\* @type: {type_of(node)};"
            comma = "," if number < len(roots) else ""
            ghost = "  \\* has ghost state" if root in ghosts else ""
            yield f"    {root}{comma}{ghost}"
        yield ""
        yield f"vars == <<{', '.join(roots)}>>"
        yield ""
        yield "TypeOK =="
        for root, node in roots.items():
            values = set_of(node, scope.sorts)
            yield f"    /\\ {root} \\in {values}"
        yield ""
        inner = scope.names.inner()
        most = max(map(depth, roots.values()), default=0)
        bound = [inner.fresh(name) for name in "ijklmnopqrstuvw"[:most]]
        yield "Init =="
        for root, node in roots.items():
            yield f"    /\\ {root} = {start_of(node, scope.sorts, bound)}"
        yield ""

    # Actions

    def _inside(self, action: Action) -> tuple[Scope, tuple[str, ...]]:
        names = self.scope.names.inner()
        called: dict[str | int, str] = {param.name: names.fresh(param.name) for param in action.params}
        return evolve(self.scope, names=names, called=called), tuple(called.values())

    def _action(self, action: Action) -> list[str]:
        scope, params = self._inside(action)
        start = scope.epochs[0]
        known = frozenset[str]().union(*(facts(guard.cond, scope) for guard in action.guards))
        chain = Chain(scope.names)
        now, _ = chain.run(action.body, start, scope, known)
        conditions = [guard.cond for guard in action.guards]
        broken = in_order(conditions, scope, frozenset())
        if chain.obligations:
            lets, items = tidy(chain.lets, chain.obligations)
            body: Doc = LetIn(tuple(lets), conj(items)) if lets else conj(items)
            holds = [say(cond, scope) for cond in conditions]
            broken.append(Implies(conj(holds), body) if holds else body)
        lines = list(_told(action))
        if broken:
            obliging = Let(self.obliging[action.name], params, conj(broken))
            lines += ["\\* Every value and index of the step below is within its range.", *defined(obliging), ""]
        else:
            del self.obliging[action.name]
        return [*lines, f"{Let(self.actions[action.name], params, Text('')).head} ==", *self._step(
            action, scope, params, chain, dict(now))]  # fmt: skip

    def _step(
        self, action: Action, scope: Scope, params: Sequence[str], chain: Chain, now: dict[str, str]
    ) -> Iterator[str]:
        for guard in action.guards:
            cond = after("    /\\ ", layout(_junction_item(say(guard.cond, scope))))
            marked = "bound: " if guard.kind is GuardKind.BOUND else ""
            cond[0] += f"  \\* {marked}{guard.name}"
            yield from cond
        if action.name in self.obliging:
            yield f"    /\\ {_call(self.obliging[action.name], params)}"
        changed = list(assigned(action.body, scope))
        lets, values = tidy(chain.lets, [Ref(now[root]) for root in changed])
        steps: list[str] = []
        for root, value in zip(changed, values, strict=True):
            steps += after(f"/\\ {root}' = ", layout(value, 100 - len(root)))
        if lets:
            opened: list[str] = []
            for number, let in enumerate(lets):
                opened += after("    " if number else "LET ", defined(let, 100))
            steps = [*after("/\\ ", [*opened, *after("IN  ", steps)])]
        yield from ("    " + line for line in steps)
        kept = [root for root in scope.layout.roots if root not in changed]
        if kept:
            yield f"    /\\ UNCHANGED <<{', '.join(kept)}>>"

    def _applied(self, name: str, params: Sequence[Param | LoopVar]) -> tuple[str, str]:
        """What a quantifier over parameters says of them, and the operator applied to them."""
        inner = self.scope.names.inner()
        bound = [inner.fresh(param.name) for param in params]
        heads = [f"{one} \\in {self.scope.sorts.values(param.sort)}" for one, param in zip(bound, params, strict=True)]
        return ", ".join(heads), _call(name, bound)

    def _next(self) -> Iterator[str]:
        yield "Next =="
        for action in self.model.actions:
            heads, call = self._applied(self.actions[action.name], action.params)
            yield f"    \\/ \\E {heads} : {call}" if heads else f"    \\/ {call}"
        if not self.model.actions:
            yield "    UNCHANGED vars"
        yield ""

    def _spec(self) -> Iterator[str]:
        yield "\\* What a scheduler owes: a turn to whoever is enabled for ever (WF) or again and again (SF)."
        yield "Fairness =="
        fair = [action for action in self.model.actions if action.fair is not Fairness.NONE]
        for action in fair:
            word = "WF" if action.fair is Fairness.WEAK else "SF"
            who = [param for param in action.params if isinstance(param.sort, IndexSort)]
            inner = self.scope.names.inner()
            called = {param: inner.fresh(param.name) for param in action.params}
            free = [f"{called[p]} \\in {self.scope.sorts.values(p.sort)}" for p in action.params if p not in who]
            step = _call(self.actions[action.name], [*called.values()])
            step = f"\\E {', '.join(free)} : {step}" if free else step
            owed = ", ".join(f"{called[p]} \\in {self.scope.sorts.values(p.sort)}" for p in who)
            everyone = f"\\A {owed} : " if owed else ""
            yield f"    /\\ {everyone}{word}_vars({step})"
        if not fair:
            yield "    TRUE"
        yield ""
        yield "Spec == Init /\\ [][Next]_vars /\\ Fairness"
        yield ""

    # Properties

    def _obligations(self) -> Iterator[str]:
        if not self.obliging:
            return
        yield "\\* No step that can be taken, and no property, takes a value or an index out of its range."
        yield "Obligations =="
        for action in self.model.actions:
            if action.name in self.obliging:
                heads, call = self._applied(self.obliging[action.name], action.params)
                yield f"    /\\ \\A {heads} : {call}" if heads else f"    /\\ {call}"
        for prop in self.model.properties:
            if prop.name in self.obliging:
                yield f"    /\\ {self.obliging[prop.name]}"
        yield ""

    def _property(self, prop: Property) -> list[str]:
        scope = self.scope
        lines = [f"\\* {prop.name}: {line}" for line in _sentence(prop.statement)]
        if prop.protects:
            lines.append(f"\\* Protects {prop.protects}.")
        broken = [*obliged(prop.holds, scope), *obliged(prop.twin, scope)]
        said: Doc = say(prop.holds, scope)
        if prop.response is not None:
            inner, heads = scope, []
            for var in prop.response.over:
                inner, name = inner.bind(var.id, var.name)
                heads.append(f"{name} \\in {scope.sorts.values(var.sort)}")
            sides = (prop.response.trigger, prop.response.goal)
            below = [one for side in sides for one in obliged(side, inner)]
            if below:
                broken.append(Bound(f"\\A {', '.join(heads)}", conj(below)) if heads else conj(below))
            leads = Text(" ~> ".join(f"({flat(say(side, inner))})" for side in sides))
            said = Bound(f"\\A {', '.join(heads)}", leads) if heads else leads
        if broken:
            lines += defined(Let(self.obliging[prop.name], (), conj(broken)))
            if prop.response is None:
                said = Implies(Text(self.obliging[prop.name]), said)
        else:
            del self.obliging[prop.name]
        lines += defined(Let(self.properties[prop.name], (), said))
        lines.append("\\* The situation it is about; reached if its negation is violated as an invariant.")
        return [*lines, *defined(Let(self.twins[prop.name], (), say(prop.twin, scope)))]

    def cfg(self) -> list[str]:
        """The lines of the configuration."""
        invariants = ["TypeOK", *(["Obligations"] if self.obliging else [])]
        temporal: list[str] = []
        for prop in self.model.properties:
            wanted = temporal if prop.kind is PropertyKind.RESPONSE else invariants
            wanted.append(self.properties[prop.name])
        lines = [f"\\* {line}" for line in header_lines(self.model)]
        lines += ["SPECIFICATION Spec", "\\* A state that nothing leaves is no error of its own: hangs are invariants."]
        lines += ["CHECK_DEADLOCK FALSE", *(f"INVARIANT {name}" for name in invariants)]
        return [*lines, *(f"PROPERTY {name}" for name in temporal)]


def _unlike(name: str, names: TlaNames, what: str) -> str:
    """A name, marked as that of a property or module where something else has it."""
    return f"{name}_{what}" if plain(name) in names.taken else name


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})" if arguments else name


def _junction_item(doc: Doc) -> Doc:
    """A condition as an item of a junction list."""
    return Text(f"({flat(doc)})") if isinstance(doc, Joined | Implies) and len(flat(doc)) < 100 else doc


def _sentence(text: str) -> list[str]:
    return [" ".join(text.split())]


def _told(action: Action) -> Iterator[str]:
    """What an action is, as comments."""
    if action.doc:
        yield f"\\* {' '.join(action.doc.split())}"
    lane = f" {action.actor.lane}" if action.actor.lane else ""
    yield f"\\* By {action.actor.name}{lane}, {action.kind.value}; for {' '.join(action.src.split())}"
    for param in action.params:
        yield f"\\*   {param.name}: {sort_name(param.sort)}"
