"""`ProtocolTests` fails where it has to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.stateful.machine import PropertyViolated
from fencepost.testing import ProtocolTests

LEAKY = str(Path(__file__).parent / "stateful" / "leaky.py")


class Hopeful(ProtocolTests):
    """Says that nothing is wrong with the tap."""

    subject = LEAKY


class Honest(Hopeful):
    """Says what is wrong with the tap."""

    violated = {"never-full": "leaky"}  # noqa: RUF012
    unexercised = {"never-blocked": "nothing blocks the drain"}  # noqa: RUF012


def test_a_violation_is_seen_unless_it_is_known() -> None:
    with pytest.raises(AssertionError, match="never-full"):
        Hopeful().test_no_other_property_is_violated_within_the_depth()
    with pytest.raises(AssertionError, match="never-full"):
        Hopeful().test_no_other_property_is_violated_on_random_walks()
    with pytest.raises(PropertyViolated, match="never-full is violated after 3 steps"):
        Hopeful().test_the_state_machine_passes()
    Honest().test_no_other_property_is_violated_within_the_depth()
    Honest().test_no_other_property_is_violated_on_random_walks()
    Honest().test_the_state_machine_passes()


def test_a_property_that_nothing_exercises_is_seen_unless_it_is_known() -> None:
    with pytest.raises(AssertionError, match="never-blocked"):
        Hopeful().test_every_other_property_is_exercised()
    Honest().test_every_other_property_is_exercised()


def test_a_property_that_is_exercised_after_all_is_seen() -> None:
    class Gloomy(Honest):
        violated = {}  # noqa: RUF012
        unexercised = {"never-full": "no water", "never-blocked": "nothing blocks the drain"}  # noqa: RUF012

    with pytest.raises(AssertionError, match="never-full"):
        Gloomy().test_every_other_property_is_exercised()


def test_a_variant_that_does_not_break_what_it_says_is_seen() -> None:
    Honest().test_a_variant_breaks_what_it_says("blocked")
    Honest().test_a_variant_breaks_what_it_says("tight")
    with pytest.raises(AssertionError, match="no-such-thing"):
        Honest().test_a_variant_breaks_what_it_says("scented")


def test_each_variant_has_a_test_unless_it_is_beyond(tmp_path: Path) -> None:
    test = tmp_path / "test_leaky.py"
    test.write_text(
        f"""
from fencepost.testing import ProtocolTests

class TestLeaky(ProtocolTests):
    subject = {LEAKY!r}
    violated = {{"never-full": "leaky"}}
    unexercised = {{"never-blocked": "nothing blocks the drain"}}
    beyond = {{"scented": "it says too much"}}
"""
    )
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(test)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    assert "6 passed" in ended.stdout
    for variant in ("blocked", "tight"):
        assert f"test_a_variant_breaks_what_it_says[{variant}] PASSED" in ended.stdout
