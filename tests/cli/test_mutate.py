"""`verify mutate`: its report, its JSON, its exit codes, and its pins."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema

from fencepost.mutate.pinned import Pinned, dump, load
from tests.cli.conftest import Verify

LOCK = str(Path(__file__).parents[1] / "mutate" / "lock.py")
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "json-schema" / "mutation-1.json").read_text())


def test_the_report(verify: Verify) -> None:
    ran = verify("mutate", "--protocol", LOCK, "--jobs", "1")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0] == "lock, default"
    assert "  original  8 states, every state reached" in lines
    row = next(line.split() for line in lines if line.startswith("all "))
    assert row == ["all", "26", "18", "2", "4", "2", "0", "0"]
    assert "score 90.9 % of 22 that differ, 81.8 % by properties and obligations alone" in lines
    start = next(i for i, line in enumerate(lines) if 'take: the guard "asks" left out' in line)
    assert lines[start].startswith("survived: ")
    assert lines[start].partition(".py:")[2].startswith("51  take")
    assert lines[start + 1 : start + 6] == [
        "  operator guard; looked at all 8 states; it comes to the same states",
        "  the step that tells it from the original:",
        "    1  take(thread=0)",
        "       the mutant     takes it: seats[0].at: OUT -> HAS, taken: false -> true, inside: 0 -> 1",
        '       the original   refuses it by the guard "asks"',
    ]


def test_only_an_operator_and_only_some(verify: Verify) -> None:
    ran = verify("mutate", "--protocol", LOCK, "--operator", "drop", "--jobs", "1")
    assert ran.code == 0
    assert next(line.split() for line in ran.out.splitlines() if line.startswith("all ")) == [
        *("all", "7", "6", "1", "0", "0", "0", "0")
    ]
    some = verify("mutate", "--protocol", LOCK, "--sample", "5", "--jobs", "1")
    assert "5 of 26 mutants, chosen by a digest of each" in some.out
    assert verify("mutate", "--protocol", LOCK, "--sample", "5", "--jobs", "2").out == some.out


def test_json(verify: Verify) -> None:
    ran = verify("mutate", "--protocol", LOCK, "--json", "--jobs", "1")
    data = json.loads(ran.out)
    jsonschema.validate(data, SCHEMA)
    assert data["tally"] == {
        "mutants": 26,
        "killed": 18,
        "killed_by_coverage": 2,
        "equivalent": 4,
        "survived": 2,
        "timed_out": 0,
        "not_told_apart": 0,
    }
    assert data["exit_code"] == ran.code == 1
    survivor = next(each for each in data["mutants"] if each["mutation"] == 'the guard "asks" left out')
    assert survivor["difference"] == {"path": [], "step": {"action": "take", "args": [0]}, "taken_by": "mutant"}


def test_a_pin_is_compared_with_and_written(verify: Verify) -> None:
    shutil.copy(LOCK, "lock.py")
    Path("lock.manifest.toml").write_text("schema = 1\n", "utf-8")
    nothing = verify("mutate", "--protocol", "lock.py", "--pinned")
    assert nothing.code == 2
    assert "no mutation of lock is pinned" in nothing.err
    assert verify("mutate", "--protocol", "lock.py", "--update", "--jobs", "1").code == 1
    pinned = load(Path("lock.manifest.toml"))
    assert [pin.tally.all for pin in pinned] == [26]
    again = verify("mutate", "--protocol", "lock.py", "--pinned", "--jobs", "1")
    assert (again.code, again.out.endswith("; as pinned\n")) == (0, True)
    Path("lock.mutation.toml").write_text(dump([Pinned("lock", {"threads": 2}, killed=3)]), "utf-8")
    other = verify("mutate", "--protocol", "lock.py", "--pinned", "--jobs", "1")
    assert other.code == 1
    assert "killed: pinned 3, now 18" in other.out


def test_a_pin_is_read_as_it_was_written(tmp_path: Path) -> None:
    pin = Pinned("a", {"n": 2}, ("f",), None, 4, 10, states=3, mutants=9, killed=5, why='they "do" less')
    (tmp_path / "mutation.toml").write_text(dump([pin]), "utf-8")
    assert load(tmp_path / "manifest.toml") == (pin,)


def test_bad_input(verify: Verify) -> None:
    for args, complaint in (
        ([], "say which model: --protocol NAME"),
        (["--pinned"], "say what to mutate"),
        (["--protocol", LOCK, "--operator", "dorp"], "did you mean 'drop'?"),
        (["--protocol", LOCK, "--most", "3"], "more than 3 states: give smaller sizes"),
        (["--protocol", LOCK, "--sample", "0"], "it takes at least 1"),
        (["--protocol", LOCK, "--operator", "swap"], "there is no such mutant of this model"),
    ):
        ran = verify("mutate", *args)
        assert (ran.code, ran.out) == (2, ""), args
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
