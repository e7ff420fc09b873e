"""The workflow files: they parse, what they call exists, and who runs the user's code may not write."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fencepost.cli.verify import verify
from tests.docs.page import DOCS, REPOSITORY, blocks

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")

PAGE = DOCS / "ci.md"
EXAMPLE = next(block.text for block in blocks(PAGE.read_text("utf-8")) if block.language == "yaml")
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
ALL = {"the page's": EXAMPLE, **{path.name: path.read_text("utf-8") for path in WORKFLOWS}}


def parsed(text: str) -> dict[str, Any]:
    document: dict[str, Any] = yaml.load(text, Loader=yaml.BaseLoader)  # makes text of everything
    return document


def steps(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in document["jobs"].values() for step in job["steps"]]


def commands(document: dict[str, Any]) -> list[list[str]]:
    """The words of every call of `verify` in a workflow."""
    lines = [line.strip() for step in steps(document) for line in step.get("run", "").splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("verify ")]


@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_a_workflow_parses_and_is_pinned(text: str) -> None:
    document = parsed(text)
    assert {"name", "on", "permissions", "jobs"} <= set(document)
    assert document["permissions"] == {"contents": "read"}
    for job in document["jobs"].values():
        assert {"runs-on", "steps"} <= set(job)
    for step in steps(document):
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"[\w./-]+@v\d+", step.get("uses", "a@v1"))


@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_what_it_asks_of_verify_exists(text: str) -> None:
    for words in commands(parsed(text)):
        command = verify.commands.get(words[0], verify)
        known = {option for param in command.params for option in param.opts}
        assert {word for word in words if word.startswith("--")} <= known, words


def test_the_job_that_runs_the_pull_request_s_code_may_not_write() -> None:
    jobs = parsed(EXAMPLE)["jobs"]
    writing = [name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()]
    running = [name for name, job in jobs.items() if any("checkout" in step.get("uses", "") for step in job["steps"])]
    assert (writing, running) == (["comment"], ["verify"])
    assert "pull_request_target" not in parsed(EXAMPLE)["on"]


def test_what_is_posted_is_what_was_exported(tmp_path: Path) -> None:
    """The shell that puts the comment together, on files as `--export` writes them."""
    scripts = [step.get("run", "") for step in steps(parsed(EXAMPLE))]
    (script,) = [script for script in scripts if "comment.md" in script and "cat" in script]
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "fixed.no-hang.md").write_text("# no-hang is violated\n")
    (tmp_path / "traces" / "fixed.whole.md").write_text("a long run\n" * 10_000)
    (tmp_path / "traces" / "report.json").write_text("{}")
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=tmp_path, check=True)
    comment = (tmp_path / "traces" / "comment.md").read_text()
    assert "<summary>fixed.no-hang</summary>\n\n# no-hang is violated\n" in comment
    assert comment.count("<details>") == 2
    assert len(comment) == 60_000


def test_the_page_says_what_was_not_tried() -> None:
    assert "was not run on GitHub by us" in PAGE.read_text("utf-8")
