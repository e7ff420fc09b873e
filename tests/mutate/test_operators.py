"""Every mutant of a small lock, listed by hand; and that none changes what it should not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from fencepost.ir.check import check
from fencepost.ir.model import GuardKind
from fencepost.ir.stmt import If
from fencepost.mutate.alike import alike
from fencepost.mutate.mutant import Operator
from fencepost.mutate.operators import mutants
from fencepost.mutate.sites import is_reset
from fencepost.registry import find
from tests.mutate.lock import lock

TAKE = [
    ("guard", 'the guard "asks" left out'),
    ("negate", 'the guard "asks" the other way round'),
    ("conjunct", '`seats[thread].at == ASKS` left out of the guard "asks"'),
    ("conjunct", '`inside < 2` left out of the guard "asks"'),
    ("off-by-one", '`inside < 2` as `inside <= 2` in the guard "asks"'),
    ("guard", 'the guard "free" left out'),
    ("negate", 'the guard "free" the other way round'),
    ("drop", "`taken = true` left out"),
    ("drop", "`seats[thread].at = HAS` left out"),
    ("drop", "`inside = inside + 1` left out"),
    ("off-by-one", "1 as 0 in `inside = inside + 1`"),
    ("off-by-one", "1 as 2 in `inside = inside + 1`"),
    ("split", "others come in between, after `taken = true`"),
    ("split", "others come in between, after `seats[thread].at = HAS`"),
]


def test_the_mutants_of_an_action() -> None:
    found = [
        (mutant.change.operator.value, mutant.change.words)
        for mutant in mutants(lock())
        if mutant.change.action == "take"
    ]
    assert sorted(found) == sorted(TAKE)


def test_each_says_the_line_that_it_is_at() -> None:
    lines = {mutant.change.words: mutant.change.at for mutant in mutants(lock())}
    at = lines['the guard "free" left out']
    assert at is not None
    source = Path(at.file).read_text("utf-8").splitlines()
    assert source[at.line - 1].strip() == 'm.require(~s.taken, "free")'


def test_every_mutant_is_a_model_of_its_own() -> None:
    model = find("chunks").build()
    every = mutants(model, tuple(Operator))
    assert len({mutant.number for mutant in every}) == len(every)
    bounds = [guard for action in model.actions for guard in action.guards if guard.kind is GuardKind.BOUND]
    for mutant in every[:: max(1, len(every) // 40)]:
        check(mutant.change.model)
        kept = [g for action in mutant.change.model.actions for g in action.guards if g.kind is GuardKind.BOUND]
        assert set(bounds) <= set(kept)
        assert mutant.change.model.properties == model.properties


def test_ghosts_and_resets_of_dead_fields_are_left_alone() -> None:
    model = find("retiring").build()
    ghosts = {var for var in model.vars if var.ghost}
    assert ghosts
    resets = [stmt for action in model.actions for stmt in action.body if isinstance(stmt, If) and is_reset(stmt)]
    assert resets
    dropped = Counter(m.change.operator for m in mutants(model, [Operator.DROP, Operator.SKIP]))
    assert dropped[Operator.SKIP]
    for mutant in mutants(model, [Operator.DROP, Operator.SKIP]):
        names = [f"`{var.name.partition('[')[0]}" for var in ghosts if var.name.count("[") == 0]
        assert not mutant.change.words.startswith(tuple(f"{name} = " for name in names))


def test_what_clearing_leaves_dead_is_left_alone() -> None:
    model = find("chunks").build()
    dropped = {m.change.words for m in mutants(model, [Operator.DROP, Operator.SKIP]) if m.change.action == "complete"}
    last = "`gpu.queues[queue].packets[3]"
    assert any(words.startswith(f"{last}.phase = FREE` left out") for words in dropped)
    assert any(words.startswith(f"{last}.copy = none` left out") for words in dropped)  # means something in a free slot
    for field in ("kind", "barrier", "completion"):
        assert not any(words.startswith(f"{last}.{field} =") for words in dropped), field


def test_the_solver_tells_what_is_alike() -> None:
    model = find("recycled-handle").build(sizes={"queues": 1, "handles": 2, "slots": 2})
    of = {mutant.title.partition("  ")[2]: mutant.change for mutant in mutants(model)}
    for action in model.actions:
        assert alike(model, action, action)
    # With one queue and a lowest free handle to take, "handle free" is not implied; "armed" is something else as well.
    for words in ('complete: the guard "armed" left out', 'disable: the guard "handle free" left out'):
        change = of[words]
        assert not alike(model, model.action(change.action), change.model.action(change.action))
    # No handle is before itself: nothing is changed by a comparison of a handle with one that is less than two.
    lock_model = lock()
    same = next(m.change for m in mutants(lock_model) if m.change.words.startswith("`inside < 2` as"))
    assert not alike(lock_model, lock_model.action("take"), same.model.action("take"))
