"""`verify --all`: every row that is pinned, what is said of it, and what it exits with."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fencepost.cli.all import Share
from fencepost.rows.row import CI
from tests.cli.conftest import Ran, Verify
from tests.cli.pinned import MANIFEST, SOUND, TITLES

ALL = ("--all", "--protocol", "mine.py", "--jobs", "1")
PINS = Path("mine.manifest.toml")


@pytest.fixture(autouse=True)
def _mine(verify: Verify, counter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FENCEPOST_CACHE", "kept")
    Path("mine.py").write_text(Path(counter).read_text())
    PINS.write_text(MANIFEST)


def lines(ran: Ran) -> dict[str, str]:
    """What is said of each row."""
    return dict(line.removeprefix("counter ").split(": ", 1) for line in ran.out.split("\n\n")[0].splitlines())


def entries() -> list[Path]:
    return sorted(path for path in Path("kept").rglob("*.toml"))


def test_every_row_is_run_then_taken_from_the_cache(verify: Verify) -> None:
    first = verify(*ALL)
    assert (first.code, first.err) == (0, "")
    assert first.out == (
        "counter sound: as pinned\n"
        "counter sound limit=5: as pinned\n"
        "counter eager: as pinned\n"
        "counter brittle: as pinned\n"
        "counter stuck: as pinned\n"
        "counter walled: as pinned\n"
        "\n"
        "protocol  rows  states  as pinned  of these kept\n"
        "counter      6      29          6              0\n"
        "all          6      29          6              0\n"
    )
    assert len(entries()) == 6
    again = verify(*ALL, "--jobs", "3")
    assert lines(again) == dict.fromkeys(TITLES, "as pinned (kept)")
    assert lines(verify(*ALL, "--no-cache")) == dict.fromkeys(TITLES, "as pinned")
    assert verify(*ALL, "--quiet").out.startswith("\nprotocol  rows")


def test_a_row_that_differs_is_found_and_told(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace("states = 7", "states = 8").replace("length = 1 }", "length = 2 }", 1))
    for kept in ("", " (kept)"):
        ran = verify(*ALL)
        assert ran.code == 1
        differing = {title: said for title, said in lines(ran).items() if said != f"as pinned{kept}"}
        assert differing == {
            "brittle": f"states: pinned 8, now 7{kept}",
            "stuck": f"no-hang: length pinned 2, now 1{kept}",
        }
        assert "differs" in ran.out
        assert ran.out.endswith("\n  verify pins --protocol mine.py --update\n")


def test_a_change_of_the_model_is_run_again(verify: Verify) -> None:
    verify(*ALL)
    text = Path("mine.py").read_text()
    assert "s.broken = True" in text
    Path("mine.py").write_text(text.replace("s.broken = True", "s.broken = False"))
    ran = verify(*ALL)
    assert (ran.code, lines(ran)["sound"]) == (1, "as pinned (kept)")
    assert "states: pinned 7, now 4; whole: pinned VIOLATED, now EXHAUSTED" in lines(ran)["brittle"]


def test_what_should_be_pinned_and_is_not(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace('"walled"', '"gone"') + SOUND + SOUND)
    ran = verify(*ALL)
    assert ran.code == 1
    assert lines(ran)["walled"] == "not pinned"
    assert lines(ran)["gone"] == "pinned, but there is no such variant"
    assert ran.out.count("counter sound: pinned twice\n") == 1
    PINS.unlink()
    assert verify(*ALL).out.count(": not pinned\n") == 5


def test_sizes_that_are_gone(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace("limit = 5 }", "limit = 5, other = 1 }"))
    ran = verify(*ALL)
    assert ran.code == 2
    assert "unknown size of counter 'other'" in lines(ran)["sound limit=5 other=1"]


def test_a_row_too_large_for_the_profile_is_named(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace("states = 6\n", "states = 1_000_001\n"))
    ran = verify(*ALL)
    assert ran.code == 0
    why = "1,000,001 states are more than the 1,000,000 of the profile ci"
    assert lines(ran)["sound limit=5"] == f"not run: {why}"
    assert "not run" in verify(*ALL, "--quiet").out
    deep = verify(*ALL, "--profile", "deep")
    assert (deep.code, lines(deep)["sound limit=5"]) == (1, "states: pinned 1000001, now 6")


def test_the_deep_profile_asks_the_bounded_check_again(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace("length = 3, twin = 2", "length = 3, twin = 2, bmc = 3"))
    assert lines(verify(*ALL))["brittle"] == "as pinned"
    assert lines(verify(*ALL, "--profile", "deep"))["brittle"] == "as pinned"


def test_shards_are_disjoint_and_complete(verify: Verify) -> None:
    seen: list[str] = []
    for number in (1, 2, 3):
        ran = verify(*ALL, "--shard", f"{number}/3")
        assert ran.out.endswith(f"shard {number}/3: {len(lines(ran))} rows of 6\n")
        seen += lines(ran)
    assert sorted(seen) == sorted(TITLES)


def test_what_did_not_finish_is_inconclusive_and_not_kept(verify: Verify) -> None:
    ran = verify(*ALL, "--timeout", "0.000001")
    assert (ran.code, entries()) == (3, [])
    assert lines(ran) == dict.fromkeys(TITLES, "inconclusive: exploring stopped (timeout) at depth 0")


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("raise ZeroDivisionError('oh')", 2, "wrong: mine.py:"),
        ("os.kill(os.getpid(), 9)", 3, "inconclusive: killed by the system, as one that takes all memory is"),
        ("os._exit(3)", 70, "internal error: its process ended with status 3 and no result"),
    ],
)
def test_a_row_that_breaks_leaves_the_others(verify: Verify, how: str, code: int, said: str) -> None:
    text = Path("mine.py").read_text().replace('    m.note("pushed")', f'    if m.variant("stuck"):\n        {how}')
    Path("mine.py").write_text(text.replace("from fencepost import", "import os\n\nfrom fencepost import", 1))
    ran = verify(*ALL)
    assert ran.code == code
    others = lines(ran)
    assert others.pop("stuck").startswith(said)
    assert set(others.values()) == {"as pinned"}


def test_a_folder_that_cannot_be_written_is_told_once(verify: Verify) -> None:
    Path("kept").write_text("a file where the folder would be")
    ran = verify(*ALL)
    assert ran.code == 0
    assert ran.err == "verify: verdicts are not kept in kept/verdicts: Not a directory\n"


def test_junit(verify: Verify) -> None:
    PINS.write_text(MANIFEST.replace("states = 7", "states = 8").replace("length = 1 }", "length = 2 }", 1))
    Path("out").mkdir()
    assert verify(*ALL, "--junit", "out/rows.xml").code == 1
    first = Path("out/rows.xml").read_text()
    root = ET.fromstring(first)
    assert [suite.get("name") for suite in root] == [f"counter {title}" for title in TITLES]
    failed = {(case.get("classname"), case.get("name")) for case in root.iter("testcase") if len(case)}
    assert failed == {("counter brittle", "states and depth"), ("counter stuck", "no-hang")}
    verify(*ALL, "--junit", "out/rows.xml")
    assert Path("out/rows.xml").read_text() == first


def test_seconds_are_told_on_request_alone(verify: Verify) -> None:
    ran = verify(*ALL, "--times", "--junit", "rows.xml")
    assert re.fullmatch(r"as pinned \(\d+\.\d s\)", lines(ran)["sound"])
    assert 'time="' in Path("rows.xml").read_text()


def test_one_protocol_is_what_the_settings_say(verify: Verify) -> None:
    Path("pyproject.toml").write_text(
        '[tool.fencepost]\nprotocol = "mine.py"\ndepth = 1\nsizes = { counter = {limit=9} }'
    )
    assert lines(verify("--all")) == dict.fromkeys(TITLES, "as pinned"), "as pinned, not as the settings say"


def test_rows_share_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.cli.all.default_limit", lambda: 8000)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    fair = Share().limits(CI, 4)
    assert (fair.depth, fair.timeout, fair.memory, fair.manner.threads) == (None, CI.seconds, 2000, 2)
    assert Share().limits(CI, 16).manner.threads == 1
    mine = Share(timeout=0, memory=5000, threads=3).limits(CI, 4)
    assert (mine.timeout, mine.memory, mine.manner.threads) == (None, 5000, 3)
    assert Share(timeout=2.5).limits(CI, 4).timeout == 2.5


def test_bad_input(verify: Verify) -> None:
    for args, complaint in (
        ([*ALL, "--shard", "5/4"], "there is no shard 5/4; they are 1/4 to 4/4"),
        ([*ALL, "--shard", "0/4"], "there is no shard 0/4; they are 1/4 to 4/4"),
        ([*ALL, "--shard", "0/0"], "there is no shard 0/0"),
        ([*ALL, "--shard", "x"], "'x' is not a shard; write which of how many, as 2/4"),
        ([*ALL, "--jobs", "0"], "'0' is not a number of processes; give 1 or more"),
        ([*ALL, "--jobs", "two"], "'two' is not a number of processes; give 1 or more"),
        ([*ALL, "--profile", "cii"], "unknown choice for --profile 'cii'; did you mean 'ci'?"),
        ([*ALL, "--junit", "nowhere/rows.xml"], "there is no folder nowhere; make it first"),
        ([*ALL, "--junit", "."], "File '.' is a directory"),
        ([*ALL, "--variant", "stuck"], "--all looks at what is pinned, as it is pinned; leave out --variant"),
        ([*ALL, "--limit", "4"], "leave out --limit"),
        ([*ALL, "--depth", "4"], "leave out --depth"),
        ([*ALL, "--json"], "leave out --json"),
        ([*ALL, "--checkpoint", "search"], "leave out --checkpoint"),
        (["--protocol", "mine.py", "--jobs", "2"], "--jobs goes with --all"),
        (["--protocol", "mine.py", "--no-cache"], "--no-cache goes with --all"),
        (["--all", "--protocol", "recycled-handel"], "did you mean 'recycled-handle'?"),
    ):
        ran = verify(*args)
        assert (ran.code, ran.out) == (2, ""), args
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
