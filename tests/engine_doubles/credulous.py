"""An engine that proves everything, true or not."""

from typing import Any

from fencepost.verdict import OBLIGATIONS, Proof, Run, Stop


def run(model: Any, *, properties: Any = None, **_: Any) -> Run:
    names = [prop.name for prop in model.properties if properties is None or prop.name in properties]
    proof = Proof((*names, OBLIGATIONS), (), (), "none", "0", "good faith")
    return Run("pdr", Stop.DECIDED, -1, proof=proof, twins=dict.fromkeys(names, 1))
