"""What `verify` prints, and the code it ends with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fencepost import engines
from fencepost.check import Outcome
from fencepost.verdict import Stop, Verdict
from tests.cli.conftest import Verify
from tests.goldens import FOLDER, expect_golden

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "json-schema" / "report-1.json").read_text())
MANIFEST = """
schema = 1
[[pin]]
protocol = "counter"
sizes = { limit = 3 }
[pin.properties]
whole = { verdict = "VIOLATED", twin = 2, finding = "the-highest-mark" }
[[pin]]
protocol = "counter"
variant = "brittle"
sizes = { limit = 3 }
[pin.properties]
whole = { verdict = "VIOLATED", twin = 2, finding = "the-highest-mark" }
"""

GOLDEN = {
    "exhausted": (0, []),
    "violated": (1, ["--variant", "brittle"]),
    "hang": (1, ["--variant", "stuck"]),
    "obligation": (1, ["--variant", "eager"]),
    "bounded": (0, ["--depth", "1"]),
    "vacuous": (4, ["--limit", "1"]),
    "feature": (0, ["--with", "reset", "--limit", "4"]),
    "cut": (0, ["--variant", "walled", "--property", "whole"]),
    "quiet": (1, ["--variant", "brittle", "--quiet"]),
    "several-engines": (0, ["--engine", "all", "--depth", "2", "--timeout", "20"]),
    "without-a-guard": (1, ["--without", "push:below the limit"]),
    "one-property": (0, ["--variant", "brittle", "--property", "no-hang"]),
    "not-as-expected": (1, ["--expect", "violated", "--quiet"]),
    "list": (0, ["--list"]),
}


@pytest.fixture(autouse=True)
def _steady_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports as where nothing is missing; the engines that give the same report every time."""
    monkeypatch.setattr(engines, "_importable", lambda module: True)
    monkeypatch.setattr("fencepost.check.ENGINES", {name: engines.ENGINES[name] for name in ("explore", "bmc", "sat")})


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str, verify: Verify, counter: str) -> None:
    code, args = GOLDEN[name]
    ran = verify("--protocol", counter, *args)
    assert (ran.code, ran.err) == (code, "")
    expect_golden(f"cli/{name}.txt", ran.out)


@pytest.mark.parametrize("name", [name for name in GOLDEN if name not in {"list", "quiet", "not-as-expected"}])
def test_json_is_of_its_schema_and_says_the_same(name: str, verify: Verify, counter: str) -> None:
    code, args = GOLDEN[name]
    ran = verify("--protocol", counter, *args, "--json")
    document = json.loads(ran.out)
    jsonschema.validate(document, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (ran.code, document["exit_code"]) == (code, code)
    text = (FOLDER / "cli" / f"{name}.txt").read_text("utf-8")
    for found in document["properties"]:
        assert f"{found['property']} " in text
        assert found["verdict"] in text
    assert sum(found["trace"] is not None for found in document["properties"]) == text.count(" is violated after ")


def test_the_schema_has_every_word_that_there_is() -> None:
    engine = SCHEMA["properties"]["engines"]["items"]["properties"]
    found = SCHEMA["properties"]["properties"]["items"]["properties"]
    assert set(engine["stop"]["enum"]) == {stop.value for stop in Stop}
    assert set(engine["engine"]["enum"]) == set(engines.ENGINES)
    assert set(found["verdict"]["enum"]) == {verdict.value for verdict in Verdict}
    assert set(SCHEMA["properties"]["outcome"]["enum"]) == {outcome.value for outcome in Outcome}
    assert set(SCHEMA["properties"]["exit_code"]["enum"]) == {outcome.exit_code for outcome in Outcome}


def test_json_of_a_violation(verify: Verify, counter: str) -> None:
    document = json.loads(verify("--protocol", counter, "--variant", "brittle", "--json").out)
    whole, hang, rest = document["properties"]
    assert (document["protocol"], document["variant"], document["sizes"]) == ("counter", "brittle", {"limit": 3})
    assert (whole["verdict"], whole["depth"], whole["twin"], whole["engines"]) == ("VIOLATED", 3, 2, ["explore"])
    assert whole["statement"] == "The counter is not broken."
    assert len(whole["trace"]["states"]) == 4
    assert (hang["kind"], hang["verdict"]) == ("hang", "EXHAUSTED")
    assert (rest["property"], rest["kind"]) == ("obligations", "obligation")
    assert [(a["action"], a["enabled"], a["fired"]) for a in document["actions"]] == [
        ("push", 6, 6),
        ("pull", 5, 5),
    ]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--expect", "holds"], 0),
        (["--expect", "violated"], 1),
        (["--variant", "brittle", "--expect", "violated"], 0),
        (["--variant", "brittle", "--expect", "holds"], 1),
        (["--variant", "brittle", "--expect", "violated", "--property", "no-hang"], 1),
        (["--limit", "1", "--expect", "vacuous"], 0),
        (["--engine", "bmc", "--depth", "2", "--expect", "inconclusive"], 1),
        (["--cover"], 0),
        (["--cover", "--variant", "stuck", "--property", "whole"], 4),
    ],
    ids=str,
)
def test_exit_codes(verify: Verify, counter: str, args: list[str], code: int) -> None:
    assert verify("--protocol", counter, *args, "--quiet").code == code


def test_the_same_twice_is_the_same_bytes(verify: Verify, counter: str) -> None:
    args = ["--protocol", counter, "--variant", "brittle", "--engine", "all", "--depth", "4", "--timeout", "20"]
    assert verify(*args).out == verify(*args).out
    assert verify(*args, "--json").out == verify(*args, "--json").out


def test_a_missing_engine_is_named_in_every_report(
    verify: Verify, counter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_importable", lambda module: module != "z3")
    reason = "z3 is not installed; pip install z3-solver"
    assert f"  bmc       MISSING: {reason}\n" in verify("--protocol", counter).out
    assert json.loads(verify("--protocol", counter, "--json").out)["missing"] == {"bmc": reason}
    alone = verify("--protocol", counter, "--engine", "bmc", "--quiet")
    assert alone.code == 3
    assert f"INCONCLUSIVE  bmc: missing, {reason}" in alone.out
    assert reason in verify("--version").out


def test_settings_fill_in_what_the_command_line_leaves_out(verify: Verify, counter: str) -> None:
    Path("pyproject.toml").write_text(
        f'[tool.fencepost]\nprotocol = "{counter}"\ndepth = 1\n[tool.fencepost.sizes.counter]\nlimit = 5\n'
    )
    document = json.loads(verify("--json").out)
    assert (document["limits"]["depth"], document["sizes"]["limit"]) == (1, 5)
    document = json.loads(verify("--json", "--depth", "2", "--limit", "4", "--timeout", "0").out)
    assert document["limits"] == {"depth": 2, "timeout": None, "memory": None}
    assert document["sizes"]["limit"] == 4


def test_the_manifest_tells_of_findings_and_of_first_exercise(verify: Verify, counter: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())
    Path("mine.manifest.toml").write_text(MANIFEST)
    args = ("--protocol", "mine.py", "--quiet")
    assert "3 steps, see docs/findings.md#the-highest-mark" in verify(*args, "--variant", "brittle").out
    assert "NO VIOLATION TO DEPTH 1  not exercised (first exercised at depth 2)" in verify(*args, "--depth", "1").out


def test_export_writes_the_report_and_each_trace(verify: Verify, counter: str) -> None:
    args = ("--protocol", counter, "--variant", "brittle", "--export", "out/deep")
    assert verify(*args).code == 1
    out = Path("out/deep")
    names = ["brittle.whole.html", "brittle.whole.itf.json", "brittle.whole.md", "brittle.whole.txt", "report.json"]
    assert sorted(path.name for path in out.iterdir()) == names
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert report["properties"][0]["trace"] == json.loads((out / names[1]).read_text())
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert verify(*args).code == 1
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize("named", ["mine.py", "mine.py:protocol"])
def test_an_exported_page_has_the_command_that_replays_it(verify: Verify, counter: str, named: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())
    folder = Path("out/of order").absolute()
    verify("--protocol", named, "--variant", "brittle", "--export", str(folder))
    page = (folder / "brittle.whole.md").read_text()
    command = page.split("```sh\n")[1].splitlines()[0]
    assert command == f"verify replay 'out/of order/brittle.whole.itf.json' --protocol {named}"
    assert verify(*shlex.split(command)[1:], "--expect", "violated").code == 0


def test_obligations_are_exported_under_names_that_file_systems_take(verify: Verify, counter: str) -> None:
    verify("--protocol", counter, "--variant", "eager", "--export", "out")
    assert Path("out/eager.range-push-value.txt").is_file()


def test_help_has_the_protocols_sizes(verify: Verify, counter: str) -> None:
    assert "--limit N" in verify("--protocol", counter, "--help").out
    assert "--limit" not in verify("--help").out


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("counter", ["counter: a protocol (", "A counter that two hands push up", "push   hand; counter.c: push"]),
        ("eager", ["eager: a variant of counter", "It breaks range:push/value.", "push  without the guard 'below the"]),
        ("brittle", ["push  does otherwise"]),
        ("reset", ["reset: a feature of counter, off by default", "reset(): an action of counter"]),
        ("whole", ["whole: a property of counter (invariant)", "Protects: counter.c", "Broken by: brittle"]),
        ("pull", ["pull(): an action of counter", "Stands for: counter.c: pull", "--without 'pull:above nought'"]),
    ],
)
def test_explain(verify: Verify, counter: str, name: str, words: list[str]) -> None:
    ran = verify("--protocol", counter, "--explain", name)
    assert (ran.code, ran.err) == (0, "")
    for word in words:
        assert word in ran.out


def test_version_names_engines_solvers_and_compilers(verify: Verify) -> None:
    out = verify("--version").out
    for word in ("fencepost", "engine explore", "engine bmc", "engine walk", "z3-solver", "hypothesis", "gcc", "cvc5"):
        assert word in out


def test_a_property_that_says_nothing_is_told_of_with_its_line(verify: Verify, counter: str) -> None:
    text = Path(counter).read_text()
    Path("counter.py").write_text(text)
    ran = verify("--protocol", "counter.py", "--limit", "1")
    line = text[: text.index('@properties.invariant("whole"')].count("\n") + 1
    assert (
        f"\ncounter.py:{line}: whole says nothing: no step leads to what it speaks of; mend its twin or the guards "
        "on the way there, or choose sizes and features at which it happens\n"
    ) in ran.out
