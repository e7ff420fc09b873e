"""Further counterexamples: one for each cause, and no copies. What is expected is worked out by hand."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import jsonschema
import pytest

from fencepost.check import Check, check
from fencepost.cli import main
from fencepost.engines import Limits
from fencepost.explore.ways import ways
from fencepost.ir.model import Model
from fencepost.others import with_others
from fencepost.registry import find
from fencepost.trace.itf_read import read_itf

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "json-schema" / "report-1.json").read_text())

CUP = Path(__file__).parent / "cli" / "protocols" / "cup.py"


@pytest.fixture
def beside_cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.py").write_text(CUP.read_text())


@pytest.fixture
def model(beside_cup: None) -> Model:
    return find("cup.py").build()


def looked_at(model: Model, most: int, limits: Limits | None = None) -> dict[str, list[list[str]]]:
    found: Check = with_others(check(model, "explore", limits or Limits()), most)
    return {
        decision.name: [[step.action.name for step in trace.steps] for trace in decision.traces]
        for decision in found.decisions
    }


def test_one_for_each_cause(model: Model) -> None:
    assert looked_at(model, 9) == {
        "dry": [["pour_left"] * 2, ["pour_right"] * 3],
        "still": [["stir"]],
        "obligations": [],
    }


def test_no_more_than_asked_for_and_no_longer_than_asked_for(model: Model) -> None:
    assert looked_at(model, 1)["dry"] == [["pour_left"] * 2]
    assert looked_at(model, 9, Limits(depth=2))["dry"] == [["pour_left"] * 2]


def test_no_time_leaves_the_first(model: Model) -> None:
    first = check(model, "explore", Limits())
    assert with_others(Check(model, Limits(timeout=1e-9), first.runs, first.decisions), 9).decisions == first.decisions


def test_every_way_in_is_there_once(model: Model) -> None:
    # Spilt by a last pour on one side while the other is not over: stirred or not.
    prop = next(prop for prop in model.properties if prop.name == "dry")
    paths = list(ways(model, prop, None, lambda: None))
    ends = [
        (sum(name == "pour_left" for name, _ in path), sum(name == "pour_right" for name, _ in path)) for path in paths
    ]
    over = [*((2, right) for right in range(3)), *((left, 3) for left in range(2))]
    assert sorted(ends) == sorted(end for end, _ in product(over, (False, True)))
    assert [len(path) for path in paths] == sorted(len(path) for path in paths)


@pytest.mark.usefixtures("beside_cup")
def test_they_are_reported_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--protocol", "cup.py", "--property", "dry", "--max-violations", "3", "--export", "out"]
    assert main(command) == 1
    text = capsys.readouterr().out
    assert text.count("dry is violated after") == 2
    assert text.index("Of another cause (2):") < text.index("dry is violated after 3 steps")
    assert sorted(path.name for path in Path("out").iterdir()) == [
        *(f"default.dry.2.{kind}" for kind in ("html", "itf.json", "md", "txt")),
        *(f"default.dry.{kind}" for kind in ("html", "itf.json", "md", "txt")),
        "report.json",
    ]
    assert len(read_itf(Path("out/default.dry.2.itf.json")).steps) == 3
    document = json.loads(Path("out/report.json").read_text())
    jsonschema.validate(document, SCHEMA)
    assert [len(trace["states"]) for trace in document["properties"][0]["others"]] == [4]


@pytest.mark.usefixtures("beside_cup")
def test_fewer_than_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--protocol", "cup.py", "--max-violations", "0"]) == 2
    assert "--max-violations" in capsys.readouterr().err
