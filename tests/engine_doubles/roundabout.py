"""An engine that proves what is true of the dials, and violates the rest in more steps than it takes."""

from typing import Any

from fencepost.verdict import OBLIGATIONS, Finding, Proof, Run, Stop


def run(model: Any, **_: Any) -> Run:
    long_way = tuple(("turn", (dial,)) for dial in (0, 1, 2, 3, 0))
    return Run(
        "pdr",
        Stop.DECIDED,
        -1,
        findings=(Finding("never-at-two", long_way),),
        proof=Proof(("never-odd", OBLIGATIONS), (), (), "none", "0", "good faith"),
        twins={"never-odd": 1},
    )
