"""Clauses as text and back, and from bits."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.proof.clause import Bit, Clause, Literal, Membership, Vocabulary, holds
from tests.smt.tiny import model

QUEUE = IndexSort("Queue", 3)
VARS = (
    Var("open", BOOL),
    Var("count", IntSort(-1, 4)),
    Var("phase", EnumSort("Phase", ("IDLE", "ARMED", "DONE"))),
    Var("owner[]", OptionSort(QUEUE), (QUEUE,), (-1, -1, -1)),
    Var("busy", SetSort(QUEUE)),
)
MODEL: Model = model(VARS, ())
WORDS = Vocabulary.of(MODEL)
ELEMENTS = [(sort.lo, sort.hi) for _, sort in WORDS.elements]


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (Literal(0, (1,)), "open"),
        (Literal(0, (0,)), "not open"),
        (Literal(1, (2,)), "count == 2"),
        (Literal(1, (-1, 0, 1, 2, 4)), "count != 3"),
        (Literal(1, (-1, 0)), "count <= 0"),
        (Literal(1, (2, 3, 4)), "count >= 2"),
        (Literal(1, (-1, 1)), "count in {-1, 1}"),
        (Literal(1, (-1, 1, 2, 4)), "count not in {0, 3}"),
        (Literal(2, (0, 2)), "phase != ARMED"),
        (Literal(4, (-1, 1)), "owner[1] in {none, 1}"),
        (Membership(6, 2, True), "2 in busy"),
        (Membership(6, 0, False), "0 not in busy"),
    ],
)
def test_a_literal_reads_as_the_model_does(literal: Literal | Membership, text: str) -> None:
    assert WORDS.show((literal,)) == text
    assert WORDS.read(text) == (literal,)


bits = st.lists(
    st.integers(0, len(ELEMENTS) - 1).flatmap(
        lambda at: st.builds(Bit, st.just(at), st.integers(0, max(0, WORDS.elements[at][1].width - 1)), st.booleans())
    ),
    max_size=5,
)


@given(bits)
def test_a_clause_of_bits_says_what_the_bits_say(given_bits: list[Bit]) -> None:
    clause = WORDS.clause(given_bits)
    touched = sorted({bit.at for bit in given_bits})
    for values in itertools.product(*(range(ELEMENTS[at][0], ELEMENTS[at][1] + 1) for at in touched)):
        flat = [lo for lo, _ in ELEMENTS]
        for at, value in zip(touched, values, strict=True):
            flat[at] = value
        expected = any(bool((flat[b.at] - ELEMENTS[b.at][0]) >> b.bit & 1) is b.one for b in given_bits)
        assert (True if clause is None else holds(clause, flat)) is expected
    if clause is not None:
        assert WORDS.read(WORDS.show(clause)) == clause


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no element ''"),
        ("shut", "no element 'shut'"),
        ("count", "is no condition: it is a Range(-1..4)"),
        ("count == 9", "'9' is not a value of Range(-1..4)"),
        ("count == x", "invalid literal"),
        ("count in {}", "invalid literal"),
        ("count <= 4", "says nothing"),
        ("phase <= ARMED", "'phase' is a Phase, which has no order"),
        ("phase == LOST", "'LOST' is not a value of Phase"),
        ("open == true", "is compared with a Bool"),
        ("3 in busy", "is not about an index of a set"),
        ("0 in count", "is not about an index of a set"),
        ("open or not open", "names an element twice"),
        ("open or", "no element 'open or'"),
        ("open and open", "no element"),
    ],
)
def test_what_is_no_clause_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        WORDS.read(text)


def test_an_empty_clause_is_false() -> None:
    empty: Clause = ()
    assert WORDS.show(empty) == "false"
    assert WORDS.read("false") == empty
