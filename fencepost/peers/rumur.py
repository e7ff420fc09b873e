"""rumur on exported Murphi: one thread, so that states come breadth first and the first error is a shortest one."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from fencepost.export import murphi, murphi_trace
from fencepost.ir.model import Model
from fencepost.peers.seen import Seen
from fencepost.peers.tools import Unusable, call, need

GENERATE = ("--threads", "1", "--deadlock-detection", "off", "--value-type", "int32_t", "--colour", "off")
ALL_STATES = ("--symmetry-reduction", "off")
"""Deadlocks are what `hang` properties are for; sums of ours may leave the ranges of all variables."""
COMPILE = ("-std=gnu11", "-O0", "-w")
LINK = ("-lpthread", "-mcx16")
_ENOUGH = str(2**31 - 1)
_COUNTED = re.compile(r"^\s*(\d+) states, (\d+) rules fired", re.MULTILINE)


def search(model: Model, *, timeout: float, past_obligations: bool = False) -> Seen:
    """Generate, compile and run the verifier of a model's Murphi text."""
    return search_text(murphi.export(model).text, model, timeout=timeout, past_errors=past_obligations)


def search_text(
    text: str, model: Model, *, timeout: float, past_errors: bool = False, flags: tuple[str, ...] = ALL_STATES
) -> Seen:
    """The same for a text at hand, of which `model` is what its rules are called by."""
    with tempfile.TemporaryDirectory(prefix="fencepost-rumur-") as name:
        output = run_text(text, Path(name), timeout, past_errors=past_errors, flags=flags)
    broken = "" if past_errors else murphi_trace.broken(output)
    counted = _COUNTED.search(output)
    if counted is None:
        raise Unusable("rumur's verifier did not come to its end")
    if broken:
        return Seen(broken, murphi_trace.read(output, model))
    return Seen(states=int(counted[1]), transitions=int(counted[2]))


def run_text(
    text: str, folder: Path, timeout: float, *, past_errors: bool = False, flags: tuple[str, ...] = ALL_STATES
) -> str:
    """What the verifier of a Murphi text prints.

    Raises:
        Unusable: rumur or the C compiler refuses the text, or it took too long.
    """
    (folder / "model.m").write_text(text, "utf-8")
    past = ["--max-errors", _ENOUGH, "--counterexample-trace", "off"] if past_errors else []
    call([need("rumur"), *GENERATE, *flags, *past, "--output", "model.c", "model.m"], folder, timeout, makes="model.c")
    call([need("cc"), *COMPILE, "-o", "verifier", "model.c", *LINK], folder, timeout, makes="verifier")
    return call([str(folder / "verifier")], folder, timeout, codes=(0, 1))


def version() -> str:
    """As the tool says it."""
    return call([need("rumur"), "--version"], Path.cwd(), 10).strip()
