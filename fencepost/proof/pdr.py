"""Engine `pdr`: proofs for every depth, by property directed reachability in ABC."""

from __future__ import annotations

from collections.abc import Collection

from fencepost.ir.model import Model
from fencepost.proof import abc
from fencepost.proof.prove import prove
from fencepost.verdict import Progress, Run, Stop

ENGINE = "pdr"


def run(
    model: Model,
    *,
    depth: int | None,  # noqa: ARG001 - a proof is for every depth
    timeout: float | None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
) -> Run:
    """Prove what is asked for, or find how it is violated.

    Raises:
        InternalError: ABC is contradicted, by Z3 or by the interpreter.
    """
    prover = abc.find()
    if prover is None:
        return Run(ENGINE, Stop.MISSING, -1, reason=abc.MISSING)
    return prove(ENGINE, prover, model, timeout=timeout, memory=memory, properties=properties, progress=progress)
