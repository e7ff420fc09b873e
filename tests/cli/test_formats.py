"""The report in the formats of other tools: SARIF, JUnit, and annotations for GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import Verify


@pytest.fixture
def brittle(verify: Verify, counter: str) -> Any:
    """Runs the brittle counter, whose protocol is mine.py here, in some format."""
    source = Path(counter).read_text()
    Path("mine.py").write_text(source)

    def run(form: str, *args: str) -> str:
        ran = verify("--protocol", "mine.py", "--variant", "brittle", "--format", form, *args)
        assert (ran.code, ran.err) == (1, "")
        return ran.out

    return run


def line_of(text: str) -> int:
    return Path("mine.py").read_text().splitlines().index(text) + 1


def test_sarif_points_at_the_last_action_and_has_the_steps_as_code_flow(brittle: Any) -> None:
    document = json.loads(brittle("sarif"))
    assert (document["version"], len(document["runs"])) == ("2.1.0", 1)
    [run] = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["whole", "no-hang", "obligations"]
    [result] = run["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("whole", 0, "error")
    assert result["message"]["text"] == "whole: VIOLATED, 3 steps. The counter is not broken."
    [place] = result["locations"]
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "counter.push"
    physical = place["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "mine.py"}
    assert physical["region"]["startLine"] in range(
        line_of("def push(m: Step, s: State) -> None:") - 1, line_of('@protocol.action(by=HAND, src="counter.c: pull")')
    )
    [flow] = result["codeFlows"]
    told = [at["location"]["message"]["text"] for at in flow["threadFlows"][0]["locations"]]
    assert told == [f"{number}. hand: push(): pushed" for number in (1, 2, 3)]
    related = result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"]
    assert Path("mine.py").read_text().splitlines()[related - 1].startswith(("@properties.invariant", "def whole"))


def test_a_file_elsewhere_has_no_address(verify: Verify, counter: str) -> None:
    out = verify("--protocol", counter, "--variant", "brittle", "--format", "sarif").out
    assert str(Path(counter).parent) not in out
    assert "physicalLocation" not in out
    assert '"fullyQualifiedName": "counter.push"' in out


def test_github_marks_the_line_after_the_report(brittle: Any) -> None:
    *report, last = brittle("github").splitlines()
    assert report[0] == "counter, variant brittle"
    head, message = last[2:].split("::")
    assert head.startswith("error file=mine.py,line=")
    assert head.endswith(",title=counter%2C variant brittle")
    assert message == "whole: VIOLATED, 3 steps. The counter is not broken."


def test_github_says_what_is_inconclusive_or_vacuous_as_a_warning(verify: Verify, counter: str) -> None:
    ran = verify("--protocol", counter, "--limit", "1", "--format", "github", "--quiet")
    assert ran.code == 4
    assert ran.out.splitlines()[-1].startswith("::warning title=counter%2C sound::whole: VACUOUS,")


def test_github_escapes_what_would_end_the_line_or_the_field(verify: Verify, counter: str) -> None:
    text = Path(counter).read_text()
    Path("a,b:c%.py").write_text(text.replace("The counter is not broken.", "100% of it, at 1:1."))
    last = verify("--protocol", "a,b:c%.py", "--variant", "brittle", "--format", "github").out.splitlines()[-1]
    assert last.startswith("::error file=a%2Cb%3Ac%25.py,line=")
    assert last.endswith("3 steps. 100%25 of it, at 1:1.")


def test_junit_has_a_case_a_property_and_the_run_in_the_failure(brittle: Any) -> None:
    root = ET.fromstring(brittle("junit"))
    [suite] = root
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "0",
    }
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["whole", "no-hang", "obligations"]
    assert [len(case) for case in cases.values()] == [1, 0, 0]
    failure = cases["whole"][0]
    assert (failure.tag, failure.get("type")) == ("failure", "VIOLATED")
    assert (failure.text or "").startswith("whole is violated after 3 steps\n")


def test_junit_holds_only_what_xml_can(verify: Verify, counter: str) -> None:
    text = Path(counter).read_text()
    Path("mine.py").write_text(text.replace("The counter is not broken.", "The counter \\x1b[2J is <not> & broken."))
    out = verify("--protocol", "mine.py", "--variant", "brittle", "--format", "junit").out
    [case] = [case for case in ET.fromstring(out).iter("testcase") if case.get("name") == "whole"]
    assert "The counter ?[2J is <not> & broken." in (case[0].get("message") or "")


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_nothing_else_is_on_standard_output_and_two_runs_agree(brittle: Any, form: str) -> None:
    once = brittle(form)
    assert brittle(form) == once
    assert once.startswith("<?xml" if form == "junit" else "{")


def test_json_is_a_format_too(verify: Verify, counter: str) -> None:
    assert verify("--protocol", counter, "--json").out == verify("--protocol", counter, "--format", "json").out


def test_a_slip_is_answered(verify: Verify, counter: str) -> None:
    ran = verify("--protocol", counter, "--format", "sarf")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'sarif'?" in ran.err
