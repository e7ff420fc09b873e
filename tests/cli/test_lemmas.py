"""Lemmas of a protocol, under `verify --engine induction`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Verify
from tests.cli.test_certify import GATE

RIGHT = '''

@properties.lemma("opened-with-key")
def opened_with_key(s: State) -> Bool:
    """An open gate was opened by somebody with the key."""
    return s.gate.implies(s.key)
'''

WEAK = '''

@properties.lemma("door-behind-key")
def door_behind_key(s: State) -> Bool:
    """The door is shut while there is no key."""
    return s.key | ~s.door
'''

WRONG = '''

@properties.lemma("door-stays-shut")
def door_stays_shut(s: State) -> Bool:
    """Nobody opens the door."""
    return ~s.door
'''


def test_a_lemma_that_helps(verify: Verify) -> None:
    Path("gate.py").write_text(GATE + RIGHT)
    ran = verify("--protocol", "gate.py", "--engine", "induction", "--quiet")
    assert (ran.code, ran.err) == (0, "")
    first = ran.out.splitlines()[0]
    assert first.startswith("entered-with-key  PROVED  for every depth, by induction with the lemma opened-with-key")


def test_a_lemma_that_does_not_follow_shows_its_gap(verify: Verify) -> None:
    Path("gate.py").write_text(GATE + WEAK)
    ran = verify("--protocol", "gate.py", "--engine", "induction", "--depth", "0")
    shown = ran.out[ran.out.index("lemma door-behind-key does not follow by induction") :].splitlines()
    assert shown[1:3] == ["counterexample to induction: not a run from the initial state", "  gate"]
    assert "  gate = true" in shown
    assert "  1  guest  enter()  door: false -> true  [gate.c: pass]" in shown
    assert "Fails: door-behind-key: The door is shut while there is no key." in shown


def test_a_lemma_that_is_wrong_shows_the_run(verify: Verify) -> None:
    Path("gate.py").write_text(GATE + RIGHT + WRONG)
    ran = verify("--protocol", "gate.py", "--engine", "induction")
    assert ran.code == 0  # the property is proved without it
    shown = ran.out[ran.out.index("lemma door-stays-shut is violated, so it helps nobody") :].splitlines()
    assert shown[1] == "a run from the initial state"
    assert "  3  guest  enter()  door: false -> true  [gate.c: pass]" in shown


def test_a_lemma_says_what_it_says(verify: Verify) -> None:
    Path("gate.py").write_text(
        GATE + RIGHT.replace('    """An open gate was opened by somebody with the key."""\n', "")
    )
    ran = verify("--protocol", "gate.py")
    assert ran.code == 2
    assert "the lemma 'opened-with-key' has no docstring" in ran.err
    Path("gate.py").write_text(GATE + RIGHT.replace("opened-with-key", "entered-with-key"))
    ran = verify("--protocol", "gate.py")
    assert ran.code == 2
    assert "two properties are called 'entered-with-key'" in ran.err
