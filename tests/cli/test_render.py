"""`verify render`: the pages of a recorded trace, made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Verify

OUT = Path("out")


@pytest.fixture
def recorded(verify: Verify, counter: str) -> str:
    """A trace of the brittle counter, whose protocol lies beside it as mine.py."""
    Path("mine.py").write_text(Path(counter).read_text())
    assert verify("--protocol", "mine.py", "--variant", "brittle", "--export", "out").code == 1
    return "out/brittle.whole.itf.json"


def test_the_pages_are_as_exported(verify: Verify, recorded: str) -> None:
    pages = [OUT / "brittle.whole.html", OUT / "brittle.whole.md"]
    before = [page.read_bytes() for page in pages]
    for page in pages:
        page.unlink()
    ran = verify("render", recorded, "--protocol", "mine.py")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{recorded}: brittle.whole.html, brittle.whole.md\n"
    assert [page.read_bytes() for page in pages] == before


def test_somewhere_else(verify: Verify, recorded: str) -> None:
    assert verify("render", recorded, "--protocol", "mine.py", "--into", "pages").code == 0
    assert sorted(path.name for path in Path("pages").iterdir()) == ["brittle.whole.html", "brittle.whole.md"]


def test_the_page_says_what_the_protocol_as_it_is_does_instead(verify: Verify, recorded: str) -> None:
    verify("render", recorded, "--protocol", "mine.py")
    page = (OUT / "brittle.whole.md").read_text()
    assert "- These values come from steps 1-3\n" in page
    assert "- `sound` takes the same steps, with the same values in all variables that it has" in page


def test_a_trace_that_the_model_does_not_make_any_more_is_refused(verify: Verify, recorded: str) -> None:
    text = Path("mine.py").read_text()
    Path("mine.py").write_text(text.replace("s.value < m.size(Mark), ", "s.value < m.size(Mark) - 1, "))
    before = (OUT / "brittle.whole.md").read_bytes()
    ran = verify("render", recorded, "--protocol", "mine.py")
    assert ran.code == 2
    assert "NO LONGER POSSIBLE: step 3 refused by guard" in ran.err
    assert (OUT / "brittle.whole.md").read_bytes() == before


def test_bad_input(verify: Verify, recorded: str) -> None:
    Path("notes.txt").write_text("")
    for args, complaint in (
        (["render"], "Missing argument 'TRACE...'"),
        (["render", "notes.txt"], "a recorded trace is called something.itf.json"),
        (["render", "gone.itf.json"], "cannot be read"),
        (["render", recorded], "say where it is with --protocol FILE.py"),
        (["render", recorded, "--protocol", "mine.py", "--into", "notes.txt"], "'notes.txt' is a file"),
    ):
        ran = verify(*args)
        assert (ran.code, ran.out) == (2, "")
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
