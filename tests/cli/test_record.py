"""`verify record`: which counterexamples, under which names, and never half of them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from fencepost.trace.itf_read import read_itf
from tests.cli.conftest import Verify

RECORD = ("record", "--protocol", "mine.py")
FOLDER = Path("counterexamples/counter")
OF_VARIANTS = ["brittle.whole", "eager.range-push-value", "stuck.no-hang", "walled.no-hang"]
MANIFEST = """
schema = 1
[[pin]]
protocol = "counter"
variant = "brittle"
sizes = { limit = 4 }
features = ["reset"]
[pin.properties]
whole = { verdict = "VIOLATED", finding = "the-highest-mark" }
no-hang = { verdict = "EXHAUSTED" }
[[pin]]
protocol = "counter"
variant = "stuck"
sizes = { limit = 5 }
features = []
[pin.properties]
no-hang = { verdict = "VIOLATED", finding = "the-same-at-another-size" }
"""


@pytest.fixture(autouse=True)
def _mine(verify: Verify, counter: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())


def stems() -> list[str]:
    return sorted({re.sub(r"\.(itf\.json|md|html)$", "", path.name) for path in FOLDER.iterdir()})


def test_each_variant_that_breaks_something_is_recorded_once(verify: Verify) -> None:
    ran = verify(*RECORD)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "eager.range-push-value: 4 steps, new",
        "brittle.whole: 3 steps, new",
        "stuck.no-hang: 1 step, new",
        "walled.no-hang: 1 step, new",
    ]
    assert sorted(path.name for path in FOLDER.iterdir()) == [
        name for stem in OF_VARIANTS for name in (f"{stem}.html", f"{stem}.itf.json", f"{stem}.md")
    ]
    header = read_itf(FOLDER / "brittle.whole.itf.json").header
    assert (header.variant, header.sizes, header.violated) == ("brittle", (("limit", 3),), "whole")
    before = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert verify(*RECORD).out.count(", as recorded\n") == 4
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == before


def test_what_changed_and_what_is_left_over_is_told(verify: Verify) -> None:
    verify(*RECORD)
    for name in ("brittle.whole.md", "gone.whole.md"):
        (FOLDER / name).write_text("by hand")
    ran = verify(*RECORD)
    assert "brittle.whole: 3 steps, recorded anew\n" in ran.out
    assert f"left over: {FOLDER}/gone.whole.md\n" in ran.out
    assert (FOLDER / "gone.whole.md").read_text() == "by hand"


def test_findings_are_recorded_where_they_are_pinned(verify: Verify) -> None:
    Path("mine.manifest.toml").write_text(MANIFEST)
    assert verify(*RECORD).code == 0
    assert stems() == sorted([*OF_VARIANTS, "brittle.with-reset.whole"])
    header = read_itf(FOLDER / "brittle.with-reset.whole.itf.json").header
    assert (header.sizes, header.features) == ((("limit", 4),), ("reset",))
    assert read_itf(FOLDER / "stuck.no-hang.itf.json").header.sizes == (("limit", 3),), "the variant's own go first"


def test_the_page_has_the_command_that_replays_it(verify: Verify) -> None:
    verify(*RECORD, "--into", "deep/er")
    page = Path("deep/er/counter/brittle.whole.md").read_text()
    command = page.split("```sh\n")[1].splitlines()[0]
    assert command == "verify replay deep/er/counter/brittle.whole.itf.json --protocol mine.py"
    assert verify(*shlex.split(command)[1:], "--expect", "violated").code == 0


def test_a_violation_that_is_not_found_is_told_and_nothing_is_written(verify: Verify) -> None:
    text = Path("mine.py").read_text()
    assert "s.broken = True" in text
    Path("mine.py").write_text(text.replace("s.broken = True", "s.broken = False"))
    ran = verify(*RECORD)
    assert ran.code == 2
    assert "brittle.whole: no violation to depth 3 (exhausted); nothing was written\n" in ran.err
    assert not FOLDER.exists()


def test_bad_input(verify: Verify) -> None:
    Path("file").write_text("")
    for args, complaint in (
        (["record"], "Missing option '--protocol'"),
        (["record", "--protocol", "recycled-handel"], "did you mean 'recycled-handle'?"),
        ([*RECORD, "--into", "file"], "'file' is a file"),
        ([*RECORD, "--timeout", "soon"], "'soon' is not a number of seconds"),
    ):
        ran = verify(*args)
        assert (ran.code, ran.out) == (2, "")
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
