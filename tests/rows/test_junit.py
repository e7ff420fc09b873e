"""JUnit XML: a case a property, and only what the schema that CI systems go by knows (xunit-plugin's junit-10)."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from fencepost.manifest import Pin, PropertyPin
from fencepost.rows.junit import junit
from fencepost.rows.row import Row
from fencepost.rows.run import Outcome, Result
from fencepost.verdict import Verdict

HOLDS = PropertyPin(Verdict.EXHAUSTED)
PIN = Pin("counter", states=4, properties={"whole": HOLDS, "no-hang": HOLDS})
ROW = Row("counter", "counter sound", PIN)
NOW = Pin("counter", states=5, properties={"whole": HOLDS, "no-hang": HOLDS, "new": HOLDS})

RESULTS = [
    Result(ROW, Outcome.AS_PINNED, remarks=("got less deep",), now=PIN, seconds=1.25),
    Result(ROW, Outcome.DIFFERS, ("states: pinned 4, now 5", "new: not pinned", "whole: pinned A, now B"), now=NOW),
    Result(ROW, Outcome.INCONCLUSIVE, ("exploring stopped \x00 <here>",)),
    Result(ROW, Outcome.NOT_RUN, ("too large",)),
    Result(ROW, Outcome.INTERRUPTED),
    Result(Row("counter", "counter stuck", problem="not pinned"), Outcome.DIFFERS, ("not pinned",)),
    Result(Row("broken", "broken", problem="gone", loads=False), Outcome.WRONG, ("gone",)),
    Result(ROW, Outcome.INTERNAL, ("its process ended",)),
]
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"classname", "name", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
    "system-out": set(),
}
REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "system-out"},
    "testcase": {"failure", "error", "skipped"},
}


def told(suite: ET.Element) -> dict[str, list[str]]:
    """What there is of each case: nothing, or tags and messages."""
    return {
        case.get("name", ""): [f"{one.tag}: {one.get('message')}" for one in case] for case in suite.iter("testcase")
    }


def every(said: str) -> dict[str, list[str]]:
    """One thing said of every case of the row."""
    return {name: [said] for name in ("states and depth", "no-hang", "whole")}


@pytest.mark.parametrize("times", [False, True])
def test_only_what_the_schema_knows(times: bool) -> None:
    for element in ET.fromstring(junit(RESULTS, times=times)).iter():
        assert REQUIRED.get(element.tag, set()) <= set(element.keys()) <= ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        assert (element.get("time") is None) or float(element.get("time", "")) >= 0


def test_each_case_says_what_is_wrong_with_it() -> None:
    suites = list(ET.fromstring(junit(RESULTS)))
    assert [told(suite) for suite in suites] == [
        {"states and depth": [], "no-hang": [], "whole": []},
        {
            "states and depth": ["failure: states: pinned 4, now 5"],
            "new": ["failure: new: not pinned"],
            "no-hang": [],
            "whole": ["failure: whole: pinned A, now B"],
        },
        every("error: exploring stopped ? <here>"),
        every("skipped: too large"),
        every("skipped: interrupted"),
        {"states and depth": ["failure: not pinned"]},
        {"states and depth": ["error: gone"]},
        every("error: its process ended"),
    ]
    assert suites[0].findtext("system-out") == "got less deep"


def test_the_counts_are_those_of_the_cases() -> None:
    root = ET.fromstring(junit(RESULTS))
    for element in (root, *root):
        assert element.get("tests") == str(len(list(element.iter("testcase"))))
        assert element.get("failures") == str(len(list(element.iter("failure"))))
        assert element.get("errors") == str(len(list(element.iter("error"))))


def test_no_time_unless_asked_for() -> None:
    assert "time=" not in junit(RESULTS)
    assert junit(RESULTS, times=True).count('time="1.250"') == 2
