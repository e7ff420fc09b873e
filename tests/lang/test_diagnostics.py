"""Each misuse of the language gets exactly one line: where, what is wrong, what to write instead.

The files of `tests/golden/diagnostics` are what a user might write; the first line of each is a
comment with the message that it has to give. They share the protocol of `toy.py`.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from fencepost import registry
from fencepost.errors import ModelError, UsageError
from fencepost.lang.protocol import Protocol

FILES = Path(__file__).parents[1] / "golden" / "diagnostics"
SHARED = "toy"
VARIANTS = {"variant_that_changes_nothing": "sleepy"}


def misuses() -> list[str]:
    return sorted(path.stem for path in FILES.glob("*.py") if path.stem != SHARED)


@pytest.fixture(autouse=True)
def among_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FILES)
    monkeypatch.syspath_prepend(FILES)


@pytest.mark.parametrize("misuse", misuses())
def test_misuse(misuse: str) -> None:
    path = FILES / f"{misuse}.py"
    expected = path.read_text("utf-8").splitlines()[0]
    with pytest.raises(ModelError) as raised:
        registry.find(str(path)).build(variant=VARIANTS.get(misuse))
    assert f"# {raised.value}" == expected


# Of a person's typical mistakes, the one that only a search can tell is in tests/cli/test_verify.py: a
# property that says nothing. A lock that one path alone forgets is a hang (docs/cookbook/endings.md).
TYPICAL = [
    "if_statement",
    "if_expression",
    "and_operator",
    "lock_that_is_never_given_back",
    "position_beyond_the_size",
    "typo_in_a_field_read",
    "typo_in_a_field_assigned",
    "guard_on_ghost_state",
    "two_actions_of_one_name",
    "variant_that_changes_nothing",
]


@pytest.mark.parametrize("mistake", TYPICAL)
def test_a_typical_mistake_is_told_of_with_file_line_and_mend(mistake: str) -> None:
    message = (FILES / f"{mistake}.py").read_text("utf-8").splitlines()[0]
    at, what, mend = re.fullmatch(r"# (\w+\.py:\d+): ([^;]+); (.+)", message).groups()  # type: ignore[union-attr]
    assert at.startswith(f"{mistake}.py:")
    assert len(what) > 15
    assert len(mend) > 10


def toy() -> Protocol:
    made: Protocol = importlib.import_module(SHARED).toy()
    return made


def test_the_shared_protocol_is_well_formed() -> None:
    assert [action.name for action in toy().build().actions] == ["acquire"]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"variant": "eager"}, "toy has no variant 'eager'"),
        ({"sizes": {"queue": 2}}, "toy has no size 'queue'; it has queues, handles"),
        ({"sizes": {"queues": 9}}, "--queues 9: toy takes 1 to 4"),
        ({"sizes": {"queues": 0}}, "--queues 0: toy takes 1 to 4"),
        ({"features": ["time"]}, "toy has no feature 'time'; it has timing"),
        (
            {"without": ["acquire:fee"]},
            "there is no guard 'acquire:fee'; write ACTION:GUARD, such as acquire:free",
        ),
    ],
)
def test_a_choice_that_is_not_there_is_the_users_fault(chosen: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        toy().build(**chosen)  # type: ignore[arg-type]
    assert str(raised.value) == message
