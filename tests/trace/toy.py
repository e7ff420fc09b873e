"""A model made by hand from IR nodes: handles that are armed, waited for by queues, cleared and destroyed."""

from __future__ import annotations

from attrs import evolve

from fencepost.ir.expr import (
    FALSE,
    TRUE,
    Add,
    And,
    Compare,
    Const,
    Expr,
    LoopVar,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.model import Action, Actor, Fairness, Guard, GuardKind, Kind, Model, Property, PropertyKind
from fencepost.ir.sorts import BOOL, NONE, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.ir.stmt import Assign, If, Note, Stmt
from fencepost.verdict import Finding, Path

QUEUE, HANDLE = IndexSort("HwQueue", 2), IndexSort("Handle", 2)
PHASE = EnumSort("Phase", ("FREE", "ARMED", "CLEARED"))
MAYBE = OptionSort(HANDLE)

PHASES = Var("handles[].phase", PHASE, (HANDLE,), (0, 0))
WAITS = Var("queues[].waits", MAYBE, (QUEUE,), (NONE, NONE))
USED = Var("used", SetSort(HANDLE))
PAUSED = Var("paused", BOOL)
BUDGET = Var("budget", IntSort(0, 3), (), (3,))
EVER = Var("ever", BOOL, ghost=True)

H, Q, BY = Param("h", HANDLE), Param("q", QUEUE), Param("by", IntSort(1, 4))
HOST, PROCESSOR = Actor("host"), Actor("packet processor", lane="q")
FREE, ARMED, CLEARED = (Const(i, PHASE) for i in range(3))
NOBODY = Const(NONE, MAYBE)


def same(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.EQ, left, right)


def phase(handle: Expr) -> Expr:
    return Read(PHASES, (handle,))


def waits(queue: Expr) -> Expr:
    return Read(WAITS, (queue,))


def act(
    name: str, params: tuple[Param, ...], guards: tuple[Guard, ...], *body: Stmt, actor: Actor = HOST, kind: Kind
) -> Action:
    return Action(name, params, guards, body, actor, f"Serializer::{name}", kind, Fairness.NONE)


ONE = Const(1, IntSort(1, 1))
ARM = act(
    "arm",
    (H,),
    (
        Guard("free", same(phase(H), FREE)),
        Guard("budget", Compare(Relation.LT, Const(0, IntSort(0, 0)), Read(BUDGET)), GuardKind.BOUND),
    ),
    Assign(PHASES, (H,), ARMED, 1),
    Assign(BUDGET, (), Sub(Read(BUDGET), ONE), 2),
    Assign(USED, (), SetWith(Read(USED), H, present=True), 3),
    Note("ARMED, {} left", (Read(BUDGET, (), 3),), H),
    kind=Kind.ENVIRONMENT,
)
ENQUEUE = act(
    "enqueue",
    (Q, H),
    (Guard("armed", same(phase(H), ARMED)), Guard("room", same(waits(Q), NOBODY))),
    Assign(WAITS, (Q,), H, 1),
    Note("packet on queue {}", (Q,)),
    actor=PROCESSOR,
    kind=Kind.ENVIRONMENT,
)
RUN = act(
    "run",
    (Q,),
    (
        Guard("packet", Not(same(waits(Q), NOBODY))),
        Guard("signal down", Not(same(Read(PHASES, (waits(Q),)), ARMED))),
    ),
    Assign(WAITS, (Q,), NOBODY, 1),
    actor=PROCESSOR,
    kind=Kind.PROGRESS,
)
CLEAR = act(
    "clear",
    (H,),
    (Guard("armed", same(phase(H), ARMED)),),
    Assign(PHASES, (H,), CLEARED, 1),
    Note("CLEARED(0)", (), H),
    kind=Kind.ENVIRONMENT,
)
DESTROY = act(
    "destroy",
    (H,),
    (Guard("cleared", same(phase(H), CLEARED)),),
    Assign(PHASES, (H,), FREE, 1),
    If(same(Read(PAUSED), FALSE), (Assign(EVER, (), TRUE, 2),), (), 3),
    Note("DESTROYED", (), H),
    kind=Kind.ENVIRONMENT,
)
PAUSE = act("pause", (), (), Assign(PAUSED, (), Not(Read(PAUSED)), 1), kind=Kind.IDLE)
REFILL = act("refill", (BY,), (), Assign(BUDGET, (), Add(Read(BUDGET), BY), 1), kind=Kind.ENVIRONMENT)

QUEUES = LoopVar(1, "q", QUEUE)
HANDLES = LoopVar(2, "h", HANDLE)
WAITED_FOR = Quantified(Quantifier.EXISTS, QUEUES, same(waits(QUEUES), HANDLES))
NOT_DESTROYED = Property(
    "not-destroyed",
    Quantified(Quantifier.FORALL, HANDLES, Or((Not(WAITED_FOR), Not(same(phase(HANDLES), FREE))))),
    Quantified(Quantifier.EXISTS, HANDLES, WAITED_FOR),
    "No handle is destroyed while a packet waits for it.",
    "hsa_barrier::~hsa_barrier",
)
OUTSTANDING = Quantified(Quantifier.EXISTS, QUEUES, Not(same(waits(QUEUES), NOBODY)))
CAN_RUN = Quantified(
    Quantifier.EXISTS,
    LoopVar(3, "q", QUEUE),
    And(
        (
            Not(same(waits(LoopVar(3, "q", QUEUE)), NOBODY)),
            Not(same(Read(PHASES, (waits(LoopVar(3, "q", QUEUE)),)), ARMED)),
        )
    ),
)
NO_HANG = Property(
    "no-hang", Or((Not(OUTSTANDING), CAN_RUN)), OUTSTANDING, "No packet waits for ever.", "", PropertyKind.HANG
)

TOY = Model(
    "toy",
    "eager",
    (("queues", 2), ("handles", 2)),
    ("pauses",),
    (PHASES, WAITS, USED, PAUSED, BUDGET, EVER),
    (ARM, ENQUEUE, RUN, CLEAR, DESTROY, PAUSE, REFILL),
    (NOT_DESTROYED, NO_HANG),
)

UNREFERENCED = Guard(
    "unreferenced",
    Not(Quantified(Quantifier.EXISTS, LoopVar(4, "any", QUEUE), same(waits(LoopVar(4, "any", QUEUE)), H))),
)
"""The guard that mends `destroy`."""


def with_action(model: Model, action: Action) -> Model:
    """The model with an action of that name replaced."""
    return evolve(model, actions=tuple(action if old.name == action.name else old for old in model.actions))


MENDED = with_action(TOY, evolve(DESTROY, guards=(*DESTROY.guards, UNREFERENCED)))

DESTROYED_PATH: Path = (
    ("arm", (1,)),
    ("pause", ()),
    ("enqueue", (1, 1)),
    ("pause", ()),
    ("pause", ()),
    ("clear", (1,)),
    ("destroy", (1,)),
)
DESTROYED = Finding("not-destroyed", DESTROYED_PATH)
HUNG = Finding(
    "no-hang", (("arm", (1,)), ("enqueue", (1, 1)), ("clear", (1,)), ("destroy", (1,)), ("arm", (1,)), ("arm", (0,)))
)
OVERFLOW = Finding("range:refill/budget", (("arm", (0,)), ("pause", ()), ("refill", (2,))))
