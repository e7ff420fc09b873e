"""One task of ours in a process of its own, so that its memory is its own: `python -m benchmarks.ours TASK`.

The task is JSON, and so is the answer. Seconds that an answer has are those of the work alone; those
of the process have the start of Python and the recording of the model as well.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from benchmarks import bmc
from benchmarks.searching import drain, load, search
from benchmarks.timing import NotMeasured, Taken, run
from fencepost.aig.aiger import Form
from fencepost.explore import bfs
from fencepost.explore.compiler import cached
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Native
from fencepost.export import aiger
from fencepost.export.flat import flatten
from fencepost.export.smtlib import script
from fencepost.ir.model import Model
from fencepost.peers import abc, smtlib
from fencepost.peers.crosscheck import exported
from fencepost.peers.seen import Answers
from fencepost.peers.tools import Unusable, call, need
from fencepost.programs import ABC
from fencepost.registry import find

HERE = Path(__file__).parents[1]
SLACK = 60.0
"""Seconds that a process may take beyond twice the limit of its work: it also finds paths, after its time."""


@frozen
class Answer:
    """What a task answered, and what its process took."""

    said: Mapping[str, Any]
    process: Taken

    @property
    def work(self) -> Taken:
        """Of the work alone; the memory is the process's."""
        return Taken(self.said["wall"], self.said["cpu"], self.process.peak)


def ask(task: str, protocol: str, seconds: float, **settings: Any) -> Answer:
    """Do a task in a process of its own.

    Raises:
        NotMeasured: what it needs is not there, or it took too long.
    """
    given = json.dumps({"task": task, "protocol": protocol, "seconds": seconds, **settings})
    ran = run([sys.executable, "-m", "benchmarks.ours", given], HERE, 2 * seconds + SLACK)
    said = json.loads(ran.output.strip().splitlines()[-1])
    if "unusable" in said:
        raise NotMeasured(said["unusable"])
    return Answer(said, ran.taken)


def _search(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    native, prepared = load(model, given.get("symmetry", False))
    found = search(native, model, given["threads"], given["seconds"], given.get("memory"))
    # The slots of the table and of the array of states have these words each.
    return {**asdict(found), "prepared": prepared, "bits": model.bits, "words": native.source.words}


def _in_python(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    started = time.monotonic()
    searcher = Interpreted.begin(model, model.properties)
    _ = searcher.steps.expand
    prepared = time.monotonic() - started
    return {**asdict(drain(searcher, model, given["seconds"])), "prepared": prepared}


def _load(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """The compiled search; compiled anew where it is to be fresh."""
    if given.get("fresh"):
        native = Native.of(model, model.properties)
        if isinstance(native, Native):
            cached(native.text, native.compiler).unlink(missing_ok=True)
    before = bmc.cpu()
    native, seconds = load(model)
    return {"wall": seconds, "cpu": bmc.cpu() - before, "characters": len(native.text)}


def _first(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """The first counterexample of a property, by the search that `verify` begins with."""
    cpu = time.process_time()
    found = bfs.run(model, timeout=given["seconds"], properties=[given["property"]])
    lengths = {each.name: len(each.path) for each in found.findings}
    return {"wall": found.seconds, "cpu": time.process_time() - cpu, "lengths": lengths}


def _bounded(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    started, before = time.monotonic(), bmc.cpu()
    properties = [given["property"]] if "property" in given else None
    found = bmc.measure(given["engine"], exported(model), given["depth"], given["seconds"], properties)
    return {
        "wall": time.monotonic() - started,
        "cpu": bmc.cpu() - before,
        "walls": found.walls,
        "cpus": found.seconds,
        "depth": found.run.depth,
        "stop": found.run.stop.value,
        "lengths": {each.name: len(each.path) for each in found.run.findings},
    }


def _answers(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a checker of others says to a depth, of the text that is written for it."""
    model, depth, tool = exported(model), given["depth"], given["tool"]
    if "property" in given:
        model = evolve(model, properties=(model.property(given["property"]),))
    started = time.monotonic()
    ask_it: Callable[[float], Answers]
    if tool == "abc":
        binary = aiger.export(model).beside[".aig"]
        assert isinstance(binary, bytes)
        names, actions = [n for n, _ in aiger.designed(model, Form.ABC).bads], [a.name for a in model.actions]
        ask_it = partial(abc.search_binary, binary, names, actions, depth)
    else:
        ask_it = partial(smtlib.search_text, script(flatten(model), depth), tool, depth)
    written, before = time.monotonic(), bmc.cpu()
    try:
        lengths = ask_it(given["seconds"]).lengths
    except Unusable as error:
        return {"unusable": _shortly(str(error), given["seconds"])}
    wall, cpu = time.monotonic() - written, bmc.cpu() - before
    return {"wall": wall, "cpu": cpu, "prepared": written - started, "lengths": dict(lengths)}


def _proofs(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """ABC's own `pdr` for every output of the exported circuit, one after the other."""
    model = exported(model)
    binary = aiger.export(model).beside[".aig"]
    assert isinstance(binary, bytes)
    outputs = range(len(aiger.designed(model, Form.ABC).bads))
    before, started = bmc.cpu(), time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="fencepost-abc-") as folder:
            (Path(folder) / "model.aig").write_bytes(binary)
            asks = "; ".join(f"read_aiger model.aig; cone -s -O {number}; pdr" for number in outputs)
            said = call([need(*ABC), "-c", asks], Path(folder), given["seconds"])
    except Unusable as error:
        return {"unusable": _shortly(str(error), given["seconds"])}
    proved = said.count("Property proved")
    return {"wall": time.monotonic() - started, "cpu": bmc.cpu() - before, "proved": proved, "asked": len(outputs)}


def _shortly(message: str, seconds: float) -> str:
    """What stands in a cell."""
    if "took more than" in message:
        return f"over {seconds:.0f} s"
    return "not installed" if "not installed" in message else message


TASKS: Mapping[str, Callable[[Model, Mapping[str, Any]], dict[str, Any]]] = {
    "search": _search,
    "python": _in_python,
    "load": _load,
    "first": _first,
    "bounded": _bounded,
    "answers": _answers,
    "proofs": _proofs,
}


def main(argument: str) -> None:
    """Do the task, and print the answer."""
    given = json.loads(argument)
    model = find(given["protocol"]).build(variant=given.get("variant"), sizes=given.get("sizes"))
    print(json.dumps(TASKS[given["task"]](model, given)))


if __name__ == "__main__":
    main(sys.argv[1])
