"""State spaces and lifecycles as graphs, counted on paper."""

from __future__ import annotations

import pytest

from fencepost.errors import UsageError
from fencepost.graphs.states import lifecycle_graph, state_graph
from fencepost.ir.model import Model
from fencepost.registry import find
from tests.cli.conftest import COUNTER


@pytest.fixture
def counter() -> Model:
    """A counter from 0 to 3 that is pushed up and pulled down: four states in a row."""
    return find(COUNTER).build()


def test_every_state_and_step_is_there(counter: Model) -> None:
    graph = state_graph(counter, depth=None, most=10)
    assert [label for _, label in graph.nodes(data="label")] == ["initial", "value = 1", "value = 2", "value = 3"]
    assert sorted((before, after, label) for before, after, label in graph.edges(data="label")) == [
        (0, 1, "push()"),
        (1, 0, "pull()"),
        (1, 2, "push()"),
        (2, 1, "pull()"),
        (2, 3, "push()"),
        (3, 2, "pull()"),
    ]


def test_within_a_depth(counter: Model) -> None:
    assert len(state_graph(counter, depth=0, most=10)) == 1
    assert len(state_graph(counter, depth=2, most=10)) == 3


def test_more_states_than_asked_for_are_refused(counter: Model) -> None:
    assert len(state_graph(counter, depth=None, most=4)) == 4
    with pytest.raises(UsageError, match="counter has more than 3 states here; give smaller sizes or a lesser --depth"):
        state_graph(counter, depth=None, most=3)


def test_the_life_of_a_signal() -> None:
    model = find("recycled-handle").build(variant="buggy", sizes={"queues": 2, "handles": 1, "slots": 2})
    graph = lifecycle_graph(model, "barriers[0].signal", depth=None)
    edges = sorted((before[0][1], after[0][1], label) for before, after, label in graph.edges(data="label"))
    assert edges == [
        ("ARMED", "COMPLETE", "complete"),
        ("COMPLETE", "FREE", "enable"),
        ("FREE", "ARMED", "disable"),
    ]


def test_a_record_is_seen_with_all_its_fields(counter: Model) -> None:
    graph = lifecycle_graph(find("recycled-handle").build(), "queues[0].packets[0]", depth=2)
    assert all("\n" in label for _, label in graph.nodes(data="label"))


def test_an_element_that_is_not_there_is_answered_with_those_that_are(counter: Model) -> None:
    with pytest.raises(UsageError, match=r"counter has no element 'valu'; there are .*value"):
        lifecycle_graph(counter, "valu", depth=None)
