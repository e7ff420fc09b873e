"""ABC on exported AIGER: for each output, the first frame in which it is true."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fencepost.aig.aiger import Form
from fencepost.export import aiger
from fencepost.ir.model import Model
from fencepost.peers.seen import Answers
from fencepost.peers.tools import Unusable, call, need
from fencepost.programs import ABC

_ASSERTED = re.compile(r"Output\s+0 .*was asserted in frame\s+(\d+)")
_MARK = "fencepost output"
_MARKED = re.compile(rf"^{_MARK} \d+\s*$", re.MULTILINE)


def search(model: Model, depth: int, timeout: float) -> Answers:
    """The length of the shortest run to each violation within a depth.

    Raises:
        Unusable: ABC is not here, or took too long.
        CannotSay: nothing in the model can be bad.
    """
    binary = aiger.export(model).beside[".aig"]
    assert isinstance(binary, bytes)
    return search_binary(binary, outputs(model), [action.name for action in model.actions], depth, timeout)


def outputs(model: Model) -> list[str]:
    """What is bad where an output is true, in their order."""
    return [name for name, _ in aiger.designed(model, Form.ABC).bads]


def search_binary(binary: bytes, names: Sequence[str], actions: Sequence[str], depth: int, timeout: float) -> Answers:
    """The same for a file at hand, whose outputs are called so.

    A step that breaks an obligation is one more than leads to the state in which it can be chosen.
    """
    # Output by output: asked about all of them at once, ABC of 2022 crashes where it finds each of them at once.
    asks = [
        f"echo {_MARK} {number}; read_aiger model.aig; cone -s -O {number}; bmc3 -F {depth + 1}"
        for number in range(len(names))
    ]
    with tempfile.TemporaryDirectory(prefix="fencepost-abc-") as folder:
        (Path(folder) / "model.aig").write_bytes(binary)
        output = call([need(*ABC), "-c", "; ".join(asks)], Path(folder), timeout)
    lengths: dict[str, int] = {}
    parts = _MARKED.split(output)[1:]
    if len(parts) != len(names):
        raise Unusable(f"ABC answers {len(parts)} of {len(names)} questions")
    for name, part in zip(names, parts, strict=True):
        asserted = _ASSERTED.search(part)
        if asserted is not None:
            by_step = ":" in name and name.partition(":")[2].partition("/")[0] in actions
            length = int(asserted[1]) + by_step
            if length <= depth:
                lengths[name] = length
    return Answers(depth, lengths)
