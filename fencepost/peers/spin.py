"""SPIN on exported Promela, breadth first, so that the first error is a shortest one.

gcc's vectorizer of straight-line code made SPIN's verifier lose half of the states once, without a
word; it is switched off, and equal counts are the judge.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from fencepost.export import promela, promela_trace
from fencepost.ir.model import Model
from fencepost.peers.seen import Seen
from fencepost.peers.tools import Unusable, call, need

GENERATE = ("-a", "-o2")
"""Without -o2 SPIN leaves variables that are only assigned out of the state, and counts fewer of them."""
COMPILE = ("-O1", "-fno-tree-slp-vectorize", "-w", "-DBFS", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=32768")
RUN = ("-E", "-w20")
"""Deadlocks are what `hang` properties are for. The hash table begins small."""
_STORED = re.compile(r"^\s*(\d+) states, stored", re.MULTILINE)
_ERRORS = re.compile(r"errors: (\d+)")


def search(model: Model, *, timeout: float, past_obligations: bool = False) -> Seen:
    """Generate, compile and run the verifier of a model's Promela text."""
    assert not past_obligations, "SPIN goes on behind a failed assertion as if it had held"
    return search_text(promela.export(model).text, model, timeout=timeout)


def search_text(text: str, model: Model, *, timeout: float) -> Seen:
    """The same for a text at hand, of which `model` is what its steps are called by."""
    with tempfile.TemporaryDirectory(prefix="fencepost-spin-") as name:
        folder = Path(name)
        output = run_text(text, folder, timeout)
        stored, errors = _STORED.search(output), _ERRORS.search(output)
        if stored is None or errors is None or "out of memory" in output:
            raise Unusable("SPIN's verifier did not come to its end")
        if int(errors[1]):
            replayed = call([need("spin"), "-t", "model.pml"], folder, timeout, codes=(0, 1))
            return Seen(promela_trace.broken(replayed), promela_trace.read(replayed, model))
    # One more state: the one before the initial values are set.
    return Seen(states=int(stored[1]) - 1)


def run_text(text: str, folder: Path, timeout: float) -> str:
    """What the verifier of a Promela text prints.

    Raises:
        Unusable: SPIN or the C compiler refuses the text, or it took too long.
    """
    (folder / "model.pml").write_text(text, "utf-8")
    call([need("spin"), *GENERATE, "model.pml"], folder, timeout, makes="pan.c")
    call([need("cc"), *COMPILE, "-o", "pan", "pan.c"], folder, timeout, makes="pan")
    return call([str(folder / "pan"), *RUN], folder, timeout)


def version() -> str:
    """As the tool says it."""
    return call([need("spin"), "-V"], Path.cwd(), 10).strip()
