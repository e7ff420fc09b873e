"""AIGER: the model as a circuit of single bits, in the format for people, and beside it in the binary one for ABC.

The text has bad states in a section of their own and true reset values; the binary file has what is
bad as outputs and all latches reset to 0, which ABC wants. Its bits and names are those of `aig`.
"""

from __future__ import annotations

from fencepost.aig import aiger
from fencepost.aig.aiger import Design, Form
from fencepost.aig.circuit import circuit_of
from fencepost.export.formats import CannotSay, Exported
from fencepost.export.header import header_lines, left_out
from fencepost.ir.model import Model


def export(model: Model) -> Exported:
    """The whole circuit; no latch is left out, whether or not a property depends on it.

    Raises:
        CannotSay: nothing can be bad, so a checker would have nothing to do.
    """
    full = designed(model, Form.FULL)
    remarks = [*header_lines(model), *left_out(model, "fairness is not said here")]
    text = "\n".join([aiger.ascii_text(full).rstrip("\n"), *remarks]) + "\n"
    return Exported(text, {".aig": aiger.binary(designed(model, Form.ABC))})


def designed(model: Model, form: Form) -> Design:
    """The circuit of a model, for a witness to be read against.

    Raises:
        CannotSay: nothing can be bad.
    """
    circuit = circuit_of(model)
    if not circuit.bads:
        raise CannotSay("aiger: the model has no property of single states; add an invariant or a hang")
    return aiger.design(circuit, form=form, whole=True)
