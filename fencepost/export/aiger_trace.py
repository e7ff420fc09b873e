"""A counterexample of an exported AIGER file, back as steps of the model."""

from __future__ import annotations

from fencepost.aig.aiger import Form
from fencepost.aig.witness import finding_in
from fencepost.errors import UsageError
from fencepost.export.aiger import designed
from fencepost.ir.model import Model
from fencepost.verdict import Finding, Path


def read(text: str, model: Model) -> Path:
    """The steps to the violation that a witness shows: of AIGER's format, or ABC's `write_cex`, with `-n` or without.

    Raises:
        UsageError: it is no witness of this model, or the interpreter does not come to a violation.
    """
    return found(text, model).path


def found(text: str, model: Model) -> Finding:
    """The violation that a witness shows, the shortest if it shows several."""
    design = designed(model, Form.FULL)
    findings = []
    refusal = UsageError("the witness shows no violation")
    for name, _ in design.bads:
        try:
            findings.append(finding_in(design, text, name))
        except UsageError as error:
            refusal = error
    if not findings:
        raise refusal
    return min(findings, key=lambda finding: (len(finding.path), finding.name))
