"""The references of properties, verdicts, commands and traces say what the code has."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest
from attrs import fields

from fencepost.check import Outcome, check
from fencepost.cli.verify import EXPECTATIONS, verify
from fencepost.config import Config
from fencepost.engines import ENGINES, Limits
from fencepost.manifest import Pin, PropertyPin, differences, load, pinned
from fencepost.pytest import INI, pytest_addoption
from fencepost.registry import find
from fencepost.trace.replay import Replayed
from fencepost.verdict import Verdict
from tests.docs.page import DOCS, REPOSITORY, blocks, run_page

CLI = (DOCS / "cli.md").read_text("utf-8")
PROPERTIES = (DOCS / "properties.md").read_text("utf-8")
PYTEST = (DOCS / "pytest.md").read_text("utf-8")
MANIFEST = (DOCS / "manifest.md").read_text("utf-8")
TRACES = (DOCS / "trace-format.md").read_text("utf-8")


def rows(page: str, head: str) -> list[list[str]]:
    """The cells of the table whose head begins with these words."""
    lines = page.split(f"\n| {head} |")[1].splitlines()[2:]
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def ticked(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize(
    "page", ["atomic-steps.md", "cli.md", "extending.md", "properties.md", "pytest.md", "tutorial-bug.md"]
)
def test_the_page_runs_as_it_is_written(tmp_path: Path, plain_terminal: None, page: str) -> None:
    assert run_page(DOCS / page, tmp_path) > 2


def test_every_command_has_its_help_on_the_page() -> None:
    assert {"$ verify --help", *(f"$ verify {name} --help" for name in verify.commands)} <= set(CLI.splitlines())


def test_the_options_that_the_text_names_are_there() -> None:
    known = {option for command in (verify, *verify.commands.values()) for p in command.params for option in p.opts}
    text = re.sub(r"```.*?```", "", CLI, flags=re.DOTALL)
    sizes = {"--queues", "--help"}
    assert set(re.findall(r"--[a-z][a-z-]*", text)) <= known | sizes
    assert all(isinstance(command, click.Command) for command in verify.commands.values())


def test_every_option_of_the_plugin_has_a_row() -> None:
    parser = pytest.Parser(_ispytest=True)
    pytest_addoption(parser)
    group = parser.getgroup("fencepost")
    named = [ticked(row[0])[0] for row in rows(PYTEST, "option")]
    assert named == [option.names()[0] for option in group.options]
    assert f"\n{INI} =\n" in PYTEST


def test_every_setting_is_in_the_example() -> None:
    example = next(block for block in blocks(CLI) if block.language == "toml")
    assert set(tomllib.loads(example.text)["tool"]["fencepost"]) == {one.name for one in fields(Config)}


def test_every_engine_has_a_row() -> None:
    assert [ticked(row[0])[0] for row in rows(CLI, "engine")] == list(ENGINES)


def test_every_exit_code_has_a_row() -> None:
    codes = {int(row[0]) for row in rows(CLI, "code")}
    assert codes == {outcome.exit_code for outcome in Outcome} | {2, 70}


def test_every_expectation_is_named() -> None:
    line = next(line for line in CLI.splitlines() if line.startswith("`--expect` takes"))
    assert ticked(line)[1:] == list(EXPECTATIONS)


def test_every_verdict_has_a_row_and_its_exit_code() -> None:
    found = {ticked(row[0])[0].removesuffix(" k"): int(row[2]) for row in rows(PROPERTIES, "verdict")}
    codes = {Verdict.VIOLATED: 1, Verdict.INCONCLUSIVE: 3, Verdict.VACUOUS: 4}
    assert found == {verdict.value: codes.get(verdict, 0) for verdict in Verdict}


def test_every_outcome_of_a_replay_has_a_row() -> None:
    said = [ticked(row[0])[0] for row in rows(TRACES, "Says")]
    assert [outcome.value for outcome in Replayed] == [text.partition(":")[0] for text in said]


@pytest.mark.parametrize("golden", sorted((REPOSITORY / "tests" / "golden" / "trace").glob("*.itf.json")))
def test_every_field_of_a_trace_is_told_of(golden: Path) -> None:
    document = json.loads(golden.read_text("utf-8"))
    told = {word for row in rows(TRACES, "What") for text in ticked(row[1]) for word in re.findall(r"\w+", text)}
    meta = document["#meta"]["fencepost"]
    assert {"vars", "states", *meta, *document["states"][1]["#meta"]} <= told


def test_the_example_of_a_manifest_is_what_comes_out(tmp_path: Path) -> None:
    example = next(block for block in blocks(MANIFEST) if block.language == "toml")
    path = tmp_path / "manifest.toml"
    path.write_text(example.text)
    (pin,) = load(path).pin
    model = find(pin.protocol).build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
    assert differences(pin, pinned(check(model, "explore", Limits(depth=pin.depth)))) == []


def test_every_key_of_a_manifest_has_a_row() -> None:
    keys = {key for row in rows(MANIFEST, "key") for key in ticked(row[0])}
    nested = {"pin", "properties"}
    assert keys == {one.name for cls in (Pin, PropertyPin) for one in fields(cls)} - nested | {"schema"}


@pytest.mark.parametrize("page", [*DOCS.rglob("*.md"), *REPOSITORY.glob("*.md")], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target, _, anchor in (
        link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link
    ):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.read_text("utf-8")), anchor


def anchors(text: str) -> set[str]:
    """What GitHub makes of the headings, and explicit ones."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def test_every_decision_is_listed_with_its_title() -> None:
    folder = DOCS / "adr"
    listed = re.findall(
        r"^\| \[(\d{4})\]\((.*?)\) \| (.*) \|$", (folder / "README.md").read_text("utf-8"), re.MULTILINE
    )
    there = []
    for path in sorted(folder.glob("0*.md")):
        number, _, title = path.read_text("utf-8").partition("\n")[0].removeprefix("# ").partition(". ")
        there.append((f"{int(number):04}", path.name, title))
    assert listed == there


@pytest.mark.parametrize("path", sorted((DOCS / "adr").glob("0*.md")), ids=lambda path: path.stem)
def test_a_decision_has_its_three_parts(path: Path) -> None:
    assert re.findall(r"^\*\*(\w+)\.\*\*", path.read_text("utf-8"), re.MULTILINE) == [
        "Context",
        "Decision",
        "Consequences",
    ]
