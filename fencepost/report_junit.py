"""The report as JUnit XML: a test case a property."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from fencepost.check import Check, Decision
from fencepost.report import in_one_line, property_of, title
from fencepost.trace.text import render_text
from fencepost.verdict import Verdict

_ELEMENTS = {Verdict.VIOLATED: "failure", Verdict.INCONCLUSIVE: "error", Verdict.VACUOUS: "error"}

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(check: Check, default: str) -> str:
    """The document; a failure has the counterexample in it."""
    name = xml_text(title(check.model, default))
    suite = ET.Element("testsuite", name=name)
    for decision in check.decisions:
        case = ET.SubElement(suite, "testcase", classname=name, name=xml_text(decision.name))
        if decision.verdict in _ELEMENTS:
            _problem(case, check, decision)
    counts = {"tests": len(suite), "failures": len(suite.findall("*/failure")), "errors": len(suite.findall("*/error"))}
    for count, number in counts.items():
        suite.set(count, str(number))
    suite.set("skipped", "0")
    root = ET.Element("testsuites", {"name": "fencepost", **{key: str(number) for key, number in counts.items()}})
    root.append(suite)
    return document(root)


def _problem(case: ET.Element, check: Check, decision: Decision) -> None:
    told = in_one_line(decision, property_of(check.model, decision))
    element = ET.SubElement(case, _ELEMENTS[decision.verdict], message=xml_text(told))
    element.set("type", decision.verdict.value)
    if decision.trace is not None:
        element.text = xml_text(render_text(decision.trace))


def document(root: ET.Element) -> str:
    """The XML file's text."""
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def xml_text(text: str) -> str:
    """The text without the characters that XML cannot have."""
    return _NOT_XML.sub("?", text)
