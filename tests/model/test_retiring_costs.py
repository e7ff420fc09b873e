"""Facts about what the retiring tracker's operations cost, and which habits cost more."""

from __future__ import annotations

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.digest import digest
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones

BUDGETS = {"one-load-retires-a-batch", "a-wait-reads-once", "no-flush-in-vain"}


def built(variant: str | None = None, features: list[str] | None = None, **sizes: int) -> Model:
    small = {"queues": 1, "ring": 2, "cap": 2, "handles": 2}
    return find("retiring").build(variant=variant, sizes=small | sizes, features=features)


@pytest.mark.parametrize(
    ("variant", "budget", "length"),
    [
        ("each-signal-read", "one-load-retires-a-batch", 13),
        ("load-before-wait", "a-wait-reads-once", 7),
        ("host-signal-not-looked-at", "no-wait-for-a-complete-host-signal", 6),
        ("flush-each-store", "one-flush-a-batch", 16),
        ("flush-always", "no-flush-in-vain", 14),
    ],
)
def test_a_habit_that_costs_more_breaks_its_budget_and_nothing_else(variant: str, budget: str, length: int) -> None:
    outcome = run(built(variant, sorted(find("retiring").features(variant))))
    assert find("retiring").protocol.variant(variant).breaks == budget
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {budget: length}


@pytest.mark.parametrize(
    ("features", "more"),
    [
        (["costs"], set()),
        (["costs", "host-signals"], {"no-wait-for-a-complete-host-signal"}),
        (["costs", "system-ring"], {"one-flush-a-batch"}),
    ],
)
def test_merged_keeps_within_every_budget(features: list[str], more: set[str]) -> None:
    model = built(features=features)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert set(outcome.twins) >= BUDGETS | more


def test_without_the_feature_the_model_is_what_it_was() -> None:
    plain = built(features=[])
    assert not any(var.name.startswith("cost.") for var in plain.vars)
    assert digest(plain) == digest(built(features=["system-ring", "host-signals"]))


def test_loads_are_told_along_the_run() -> None:
    model = built("load-before-wait", ["costs"])
    told = milestones(model, run(model, depth=7, properties=["a-wait-reads-once"]), "a-wait-reads-once")
    assert told[-4:] == [
        "a load across PCIe, before the wait",
        "sees signal 0 complete",
        "retired",
        "a load across PCIe, of the wait",
    ]
