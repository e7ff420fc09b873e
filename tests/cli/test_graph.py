"""`verify graph`: states, lives and waiting, as text for other tools."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Verify


def test_the_states(verify: Verify, counter: str) -> None:
    ran = verify("graph", "--protocol", counter, "--most", "4")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith('digraph "counter" {\n')
    assert ran.out.count(" -> ") == 6


def test_the_sizes_of_the_protocol_are_options(verify: Verify, counter: str) -> None:
    assert verify("graph", "--protocol", counter, "--limit", "5").out.count(" -> ") == 10


def test_the_life_of_an_element_as_mermaid(verify: Verify, counter: str) -> None:
    ran = verify("graph", "--protocol", counter, "--variant", "brittle", "--element", "broken", "--format", "mermaid")
    assert ran.out == 'flowchart TD\n    n0["false"]\n    n1["true"]\n    n0 -->|"push"| n1\n'


def test_who_waits_at_the_end_of_a_trace(verify: Verify) -> None:
    assert verify("--protocol", "cpu-wait", "--variant", "wait-holding-execution", "--export", "out").code == 1
    ran = verify("graph", "--trace", "out/wait-holding-execution.no-hang.itf.json")
    assert ran.out.count("color=red") == 3
    assert 'set_flag(): \\"execution() free\\" looks at stream.execution.owner' in ran.out


def test_bad_input(verify: Verify, counter: str) -> None:
    assert verify("--protocol", counter, "--variant", "brittle", "--export", "out").code == 1
    trace = ["--trace", "out/brittle.whole.itf.json", "--protocol", counter]
    for args, complaint in (
        ([], "say which model: --protocol NAME"),
        (["--protocol", counter, "--most", "0"], "has more than 0 states here"),
        (["--protocol", counter, "--most", "few"], "'few' is not a whole number"),
        (["--protocol", counter, "--element", "volue"], "no element 'volue'"),
        (["--protocol", counter, "--format", "dor"], "did you mean 'dot'?"),
        ([*trace, "--element", "value"], "ask for different graphs"),
        (["--trace", "gone.itf.json"], "cannot be read"),
    ):
        ran = verify("graph", *args)
        assert (ran.code, ran.out) == (2, "")
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
    assert Path("out").is_dir()
