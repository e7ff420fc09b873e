"""Results as JUnit XML: a suite a row, in it a case for the numbers and one a property."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from fencepost.report_junit import document, xml_text
from fencepost.rows.run import Outcome, Result

NUMBERS = "states and depth"
"""The case of a row's numbers; no property has such a name."""

_ELEMENTS = {
    Outcome.DIFFERS: "failure",
    Outcome.INCONCLUSIVE: "error",
    Outcome.WRONG: "error",
    Outcome.INTERNAL: "error",
    Outcome.NOT_RUN: "skipped",
    Outcome.INTERRUPTED: "skipped",
}


def junit(results: Sequence[Result], *, times: bool = False) -> str:
    """The document. Without `times`, two runs that find the same give the same."""
    root = ET.Element("testsuites", name="fencepost")
    for result in results:
        root.append(_suite(result, times=times))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    return document(root)


def _suite(result: Result, *, times: bool) -> ET.Element:
    title = xml_text(result.row.title)
    suite = ET.Element("testsuite", name=title)
    said = _said(result)
    for name in [NUMBERS, *sorted(said.keys() - {NUMBERS})]:
        case = ET.SubElement(suite, "testcase", classname=title, name=xml_text(name))
        if said.get(name):
            _problem(case, result.outcome, said[name])
    counts = {"tests": len(suite), "failures": 0, "errors": 0, "skipped": 0}
    for counted, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counts[counted] = len(suite.findall(f"testcase/{element}"))
    for name, number in counts.items():
        suite.set(name, str(number))
    if times:
        suite.set("time", f"{result.seconds:.3f}")
        suite[0].set("time", f"{result.seconds:.3f}")  # the row is run once, for all of them
    if result.remarks:
        ET.SubElement(suite, "system-out").text = xml_text("\n".join(result.remarks))
    return suite


def _said(result: Result) -> dict[str, list[str]]:
    """For each case, the lines that say what is wrong with it."""
    pin = result.row.pin
    properties = [] if pin is None else list(pin.properties)
    said: dict[str, list[str]] = {name: [] for name in (NUMBERS, *properties)}
    if result.outcome is Outcome.AS_PINNED:
        return said
    if result.now is None:  # it was not compared: what is wrong is wrong with all of it
        lines = list(result.lines) or [result.outcome.value]
        return dict.fromkeys(said, lines)
    known = {*properties, *result.now.properties}
    for line in result.lines:
        name = line.partition(": ")[0]
        said.setdefault(name if name in known else NUMBERS, []).append(line)
    return said


def _problem(case: ET.Element, outcome: Outcome, lines: Sequence[str]) -> None:
    tag = _ELEMENTS[outcome]
    element = ET.SubElement(case, tag, message=xml_text("; ".join(lines)))
    if tag != "skipped":
        element.set("type", outcome.value)
        element.text = xml_text("\n".join(lines))
