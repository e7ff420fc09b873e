"""`fencepost.pytest`: properties as tests, run by a pytest inside of this one."""

from __future__ import annotations

import shlex
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fencepost import pytest as plugin
from fencepost.check import Check
from fencepost.cli import main
from fencepost.engines import Limits
from fencepost.ir.model import Model
from fencepost.trace.itf_read import read_itf
from fencepost.verdict import Run, Stop

pytest_plugins = ["pytester"]

COUNTER = Path(__file__).parent / "cli" / "protocols" / "counter.py"
PLUGIN = ("-p", "fencepost.pytest", "-p", "no:cacheprovider", "-W", "error")
COUNTER_TESTS = ["counter.py::whole", "counter.py::no-hang", "counter.py::obligations"]


@pytest.fixture(autouse=True)
def _beside(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A protocol in an empty folder."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("CI", "true")  # where pytest's summary is at its longest
    pytester.makepyfile(counter=COUNTER.read_text())


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*PLUGIN, *args)


def passed(result: pytest.RunResult) -> list[str]:
    """The ids of the tests that passed, in order, of a run with `-rA` or `-v`."""
    return [line.split(" PASSED")[0] for line in result.outlines if " PASSED" in line]


def test_each_property_is_a_test(pytester: pytest.Pytester) -> None:
    result = run(pytester, "-v", "--fencepost-protocol", "counter.py")
    result.assert_outcomes(passed=3)
    assert passed(result) == COUNTER_TESTS
    assert "collected 3 items" in result.stdout.str()


def test_a_failure_shows_the_counterexample(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--fencepost-protocol", "counter.py", "--fencepost-variant", "brittle")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "_* whole[[]brittle] *_",
            "whole: VIOLATED, 3 steps",
            "whole is violated after 3 steps",
            "  The counter is not broken.",
            "  1  hand  push()  value: 0 -> 1  [[]counter.c: push]",
            "  3  hand  push()  value: 2 -> 3, broken: false -> true  [[]counter.c: push]",
            "again: verify --protocol counter.py --variant brittle --property whole",
            "FAILED counter.py::whole[[]brittle] - whole: VIOLATED, 3 steps",
        ],
        consecutive=False,
    )
    assert result.outlines.count("whole is violated after 3 steps") == 1
    assert "Traceback" not in result.stdout.str()
    assert "pytest.py:" not in result.stdout.str()
    assert not list(pytester.path.rglob("*.itf.json"))


def test_the_command_that_is_shown_shows_it_again(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--fencepost-variant", "brittle", "--fencepost-depth", "5", "--fencepost-timeout", "9.5")
    result = run(pytester, "--fencepost-protocol", "counter.py", *options)
    (line,) = [line for line in result.outlines if line.startswith("again: ")]
    command = shlex.split(line)[2:]
    assert command[2:-2] == ["--variant", "brittle", "--depth", "5", "--timeout", "9.5"]
    capsys.readouterr()
    assert main(command) == 1
    assert "whole is violated after 3 steps" in capsys.readouterr().out


def test_a_broken_obligation_is_one_failure(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--fencepost-protocol", "counter.py", "--fencepost-variant", "eager")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["range:push/value is violated after 4 steps", "FAILED counter.py::obligations[[]eager]*"]
    )


def test_the_traces_are_written_where_asked(pytester: pytest.Pytester) -> None:
    asked = ("--fencepost-protocol", "counter.py", "--fencepost-variant", "brittle", "--fencepost-export", "out/deep")
    result = run(pytester, *asked, "--junitxml=results.xml")
    folder = pytester.path / "out" / "deep" / "counter"
    names = [f"brittle.whole.{kind}" for kind in ("html", "itf.json", "md", "txt")]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert [line for line in result.outlines if line.startswith("written: ")] == [
        f"written: out/deep/counter/{name}" for name in names
    ]
    trace = read_itf(folder / "brittle.whole.itf.json")
    assert (trace.header.variant, trace.header.violated, len(trace.steps)) == ("brittle", "whole", 3)
    assert "verify replay out/deep/counter/brittle.whole.itf.json --protocol counter.py" in (
        (folder / "brittle.whole.md").read_text()
    )
    assert str(pytester.path) not in (folder / "brittle.whole.md").read_text()
    properties = [one.attrib for one in ET.parse(pytester.path / "results.xml").iterfind(".//property")]
    assert {"name": "fencepost-trace", "value": "out/deep/counter/brittle.whole.itf.json"} in properties
    assert {"name": "fencepost", "value": "whole: VIOLATED, 3 steps"} in properties
    assert sum("EXHAUSTED" in one["value"] for one in properties) == 2


def test_a_folder_that_cannot_be_written_is_one_line(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("file").write_text("")
    asked = ("--fencepost-protocol", "counter.py", "--fencepost-variant", "brittle", "--fencepost-export", "file")
    result = run(pytester, *asked)
    result.assert_outcomes(passed=2, failed=1)
    assert "cannot write to file/counter: Not a directory" in result.outlines


def test_the_depth_bounds_what_is_looked_at(pytester: pytest.Pytester) -> None:
    asked = ("--fencepost-protocol", "counter.py", "--fencepost-variant", "brittle")
    run(pytester, *asked, "--fencepost-depth", "2").assert_outcomes(passed=3)
    run(pytester, *asked, "--fencepost-depth", "3").assert_outcomes(passed=2, failed=1)


def test_sizes_and_features_are_the_user_s(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--fencepost-protocol", "counter.py", "--junitxml=results.xml")

    def states(*more: str) -> str:
        run(pytester, *asked, *more).assert_outcomes(passed=3)
        (told,) = [
            one.attrib["value"]
            for one in ET.parse(pytester.path / "results.xml").iterfind(".//property")
            if one.attrib["value"].startswith("obligations: ")
        ]
        return told.rpartition(" in ")[2]

    assert states() == "all 4 reachable states"
    assert states("--fencepost-size", "limit=6") == "all 7 reachable states"
    with_reset = run(
        pytester,
        *asked,
        "--fencepost-variant",
        "brittle",
        "--fencepost-size",
        "limit=4",
        "--fencepost-with",
        "reset",
        "--fencepost-without-feature",
        "reset",
        "--fencepost-with",
        "reset",
    )
    (line,) = [line for line in with_reset.outlines if line.startswith("again: ")]
    command = shlex.split(line)[2:]
    assert command[4:-2] == ["--limit", "4", "--with", "reset", "--with", "reset", "--without-feature", "reset"]
    capsys.readouterr()
    assert main(command) == 1
    assert "whole is violated after 4 steps" in capsys.readouterr().out


def test_a_feature_that_is_switched_on_is_in(pytester: pytest.Pytester) -> None:
    seen = []
    real = plugin.check
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugin, "check", lambda model, *args, **rest: seen.append(model) or real(model, *args, **rest))
        run(pytester, "--fencepost-protocol", "counter.py", "--fencepost-with", "reset").assert_outcomes(passed=3)
        run(
            pytester,
            "--fencepost-protocol",
            "counter.py",
            "--fencepost-with",
            "reset",
            "--fencepost-without-feature",
            "reset",
        ).assert_outcomes(passed=3)
    assert [model.features for model in seen] == [("reset",), ()]


def test_only_the_properties_whose_tests_are_chosen_are_checked(pytester: pytest.Pytester) -> None:
    """The search ends where they are decided, before all states are seen."""
    asked = ("--fencepost-protocol", "counter.py", "--fencepost-variant", "stuck", "--junitxml=results.xml")

    def verdict_on_obligations(chosen: str, **outcomes: int) -> str:
        run(pytester, *asked, "-k", chosen).assert_outcomes(**outcomes)
        told = [one.attrib["value"] for one in ET.parse(pytester.path / "results.xml").iterfind(".//property")]
        (verdict,) = [value for value in told if value.startswith("obligations: ")]
        return verdict

    assert "EXHAUSTED" in verdict_on_obligations("obligations", passed=1, deselected=2)
    assert verdict_on_obligations("hang or obligations", passed=1, failed=1, deselected=1) == (
        "obligations: NO VIOLATION TO DEPTH 1"
    )
    assert verdict_on_obligations("whole or hang or obligations", passed=2, failed=1) != (
        "obligations: NO VIOLATION TO DEPTH 1"
    )


def test_a_property_of_which_nothing_is_known_fails(pytester: pytest.Pytester) -> None:
    text = COUNTER.read_text()
    assert "twin=lambda s: s.value == 2" in text
    pytester.makepyfile(counter=text.replace("twin=lambda s: s.value == 2", "twin=lambda s: s.broken"))
    result = run(pytester, "--fencepost-protocol", "counter.py")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["whole: VACUOUS, its antecedent never happened in any of 4 reachable states"])


def test_time_that_is_up_fails(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--fencepost-protocol", "chunks", "--fencepost-timeout", "0.001", "-k", "obligations")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["obligations: INCONCLUSIVE, explore: time limit of 0.001 s*"])


def test_ctrl_c_ends_all_tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine that it stops says what it had covered; no test may take that for a result."""

    def stopped(model: Model, engine: str, limits: Limits, **rest: object) -> Check:
        return Check(model, limits, (Run(engine="explore", stop=Stop.INTERRUPTED, depth=0),), ())

    monkeypatch.setattr(plugin, "check", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(pytester, "--fencepost-protocol", "counter.py")


def test_an_installed_protocol_goes_by_its_name(pytester: pytest.Pytester) -> None:
    result = run(pytester, "-v", "--fencepost-protocol", "recycled-handle", "--fencepost-depth", "3")
    names = ["no-handle-destroyed-while-referenced", "no-hang", "obligations"]
    assert passed(result) == [f"recycled-handle::{name}" for name in names]


def test_protocols_of_the_ini_file_are_as_its_testpaths(pytester: pytest.Pytester) -> None:
    """They are relative to the file, and tested unless other tests were asked for."""
    pytester.makeini("[pytest]\naddopts = -p fencepost.pytest\nfencepost_protocols =\n    models/counter.py:protocol\n")
    folder = pytester.mkdir("models")
    pytester.path.joinpath("counter.py").rename(folder / "counter.py")
    pytester.makepyfile(test_other="def test_other():\n    pass\n")
    tests = [f"models/{name.replace('::', ':protocol::')}" for name in COUNTER_TESTS]
    result = pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider")
    assert passed(result) == ["test_other.py::test_other", *tests]
    result = pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider", "test_other.py")
    assert passed(result) == ["test_other.py::test_other"]
    result = pytester.runpytest_inprocess(
        "-v", "-p", "no:cacheprovider", "test_other.py", "--fencepost-protocol=models/counter.py"
    )
    assert passed(result) == ["test_other.py::test_other", *(f"models/{name}" for name in COUNTER_TESTS)]


def test_a_protocol_named_twice_is_tested_once(pytester: pytest.Pytester) -> None:
    run(pytester, *["--fencepost-protocol", "counter.py"] * 2).assert_outcomes(passed=3)


def test_without_it_nothing_happens(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_other="""
        import sys

        def test_nothing_is_imported():
            assert not [name for name in sys.modules if name.partition(".")[0] == "fencepost"]
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=1)
    result = run(pytester, "--collect-only", "-q")
    assert "test_other.py::test_nothing_is_imported" in result.outlines
    assert "1 test collected" in result.stdout.str()


def test_workers_share_the_tests(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    asked = ("--fencepost-protocol", "counter.py", "--fencepost-variant", "brittle", "--fencepost-export", "out")
    result = pytester.runpytest_subprocess(*PLUGIN, "-n", "2", *asked)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["whole is violated after 3 steps", "written: out/counter/brittle.whole.itf.json"])


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--fencepost-depth", "deep"], "*argument --fencepost-depth: 'deep' is not a whole number from 0 up"),
        (["--fencepost-timeout", "-1"], "*argument --fencepost-timeout: '-1' is not a number of seconds*"),
        (
            ["--fencepost-depth", "3"],
            "ERROR: --fencepost-depth is of no protocol; say which with --fencepost-protocol *",
        ),
        (["--fencepost-variant", "x"], "ERROR: --fencepost-variant is of no protocol; *"),
        (["--fencepost-size", "limit=2"], "ERROR: --fencepost-size is of no protocol; *"),
        (["--fencepost-with", "x"], "ERROR: --fencepost-with is of no protocol; *"),
        (["--fencepost-without-feature", "x"], "ERROR: --fencepost-without-feature is of no protocol; *"),
        (
            ["--fencepost-protocol", "counter.py", "--fencepost-size", "limit=2", "--fencepost-size", "limit=3"],
            "ERROR: --fencepost-size says limit twice; give each size once",
        ),
        (["--fencepost-size", "limit"], "*argument --fencepost-size: 'limit' is not NAME=N, such as queues=2"),
        (["--fencepost-size", "limit=two"], "*argument --fencepost-size: 'two' is not a whole number from 0 up"),
    ],
)
def test_options_that_cannot_be(pytester: pytest.Pytester, args: list[str], complaint: str) -> None:
    result = run(pytester, *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([complaint])


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["nowhere.py"], "nowhere.py: there is no such file; *"),
        (["recycled-handel"], "unknown protocol 'recycled-handel'; did you mean 'recycled-handle'?"),
        (
            ["counter.py", "--fencepost-variant", "brittel"],
            "unknown variant of counter 'brittel'; did you mean 'brittle'?",
        ),
        (["broken.py"], "broken.py:1: syntax error: *"),
        (["counter.py", "--fencepost-size", "limits=2"], "unknown size of counter 'limits'; did you mean 'limit'?"),
        (["counter.py", "--fencepost-size", "limit=99"], "--limit 99: counter takes 1 to 9"),
        (["counter.py", "--fencepost-with", "rest"], "unknown feature of counter 'rest'; did you mean 'reset'?"),
    ],
)
def test_protocols_that_cannot_be(pytester: pytest.Pytester, args: list[str], complaint: str) -> None:
    pytester.path.joinpath("broken.py").write_text("def\n")
    result = run(pytester, "--fencepost-protocol", *args)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([complaint])
    assert "Traceback" not in result.stdout.str()
