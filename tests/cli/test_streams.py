"""What happens where the report cannot be written, where nobody reads it, and where somebody presses Ctrl-C."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
import z3

from fencepost import cli
from fencepost.cli import main
from fencepost.cli.verify import verify as group
from fencepost.mutate import crew
from fencepost.mutate.hunt import Result
from fencepost.mutate.mutant import Mutant
from fencepost.smt.solver import Solver, Unknown, heard
from tests.cli.conftest import COUNTER, Verify

FULL = Path("/dev/full")
COMMANDS = (["--list"], ["--protocol", COUNTER, "--json"], ["export", "--protocol", COUNTER, "--format", "murphi"])


def shell(command: str, *args: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """A command line with `verify` in it; `"$@"` are the arguments."""
    line = command.replace("verify", f'{sys.executable} -m fencepost "$@"')
    environment = {**os.environ, **extra}
    return subprocess.run(["/bin/sh", "-c", line, "sh", *args], capture_output=True, text=True, env=environment)  # noqa: PLW1510


@pytest.mark.skipif(not FULL.is_char_device(), reason="a system without /dev/full")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_a_full_disk_is_one_line(args: list[str], encoding: str) -> None:
    ran = shell("verify > /dev/full", *args, PYTHONIOENCODING=encoding)
    assert (ran.returncode, ran.stderr) == (2, "verify: cannot write to standard output: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_streams_that_are_closed_change_no_exit_code() -> None:
    for closed in (">&-", "2>&-", ">&- 2>&- <&-"):
        ran = shell(f"verify {closed}", "--protocol", COUNTER, "--variant", "brittle")
        assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_what_an_encoding_has_no_letter_for_is_written_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "naïve.py"
    file.write_text(Path(COUNTER).read_text("utf-8").replace('"counter"', '"zähler"'), "utf-8")
    ran = shell("verify", "--protocol", str(file), PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "z\\xe4hler" in ran.stdout


@pytest.mark.parametrize("columns", ["0", "1", "-3", "wide", "9" * 30])
def test_a_report_is_whole_whatever_the_terminal_says_of_its_width(
    verify: Verify, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    with monkeypatch.context() as wide:  # pytest looks at it, too, when the test is over
        wide.setenv("COLUMNS", columns)
        out = verify("--protocol", COUNTER, "--variant", "brittle", "--quiet").out
    assert out.split()[:2] == ["whole", "VIOLATED"]


def test_what_the_system_refuses_is_no_defect(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/tmp/somewhere")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    monkeypatch.setattr("fencepost.peers.rumur.call", full)
    ran = verify("crosscheck", "--protocol", COUNTER, "--with-tool", "rumur")
    assert (ran.code, ran.err) == (2, "verify: /tmp/somewhere: No space left on device\n")


def test_ctrl_c_says_what_was_done(
    verify: Verify, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        def run(*_: object, **__: object) -> None:
            for word in words:
                click.echo(word)
            raise KeyboardInterrupt

        monkeypatch.setattr(group, "main", run)
        ran = verify("--protocol", COUNTER)
        assert ran.code == 130
        return ran.err

    assert said() == "verify: interrupted before anything was checked\n"
    assert said("rumur: equal") == "verify: interrupted; what is said above was done\n"


def test_ctrl_c_among_mutants_says_how_many_were_run(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    run_one = crew.run_one
    ran: list[Mutant] = []

    def third_is_interrupted(setting: crew.Setting, mutant: Mutant) -> Result:
        if len(ran) == 2:
            raise KeyboardInterrupt
        ran.append(mutant)
        return run_one(setting, mutant)

    monkeypatch.setattr(crew, "run_one", third_is_interrupted)
    found = verify("mutate", "--protocol", COUNTER, "--jobs", "1", "--sample", "5")
    assert (found.code, found.out) == (130, "")
    assert "verify: interrupted after 2 of 5 mutants; of 2 " in found.err


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_while_the_command_is_loaded(tmp_path: Path) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "networkx.py").write_text(code)  # among the first that it imports of others
    (tmp_path / "click.py").write_text(code)
    command = [sys.executable, "-c", "import sys; from fencepost.cli import main; sys.exit(main(['--version']))"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (ran.returncode, ran.stderr) == (130, "verify: interrupted before anything was checked\n")


def test_ctrl_c_that_z3_took_for_itself_is_no_answer() -> None:
    assert heard(True) is True
    assert heard(Unknown("timeout")) == Unknown("timeout")
    with pytest.raises(KeyboardInterrupt):
        heard(Unknown("interrupted from keyboard"))


@pytest.mark.parametrize(
    ("said", "seconds", "answer"),
    [("canceled", None, "interrupted from keyboard"), ("canceled", 0.0, "timeout"), ("broken", None, "")],
)
def test_z3_that_gives_up_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, said: str, seconds: float | None, answer: str
) -> None:
    def check(*_: object) -> None:
        time.sleep(0.01)
        raise z3.Z3Exception(said)

    monkeypatch.setattr(z3.Solver, "check", check)
    if not answer:
        with pytest.raises(z3.Z3Exception):
            Solver().satisfiable([])
        return
    assert Solver().satisfiable([], seconds) == Unknown(answer)


def test_the_command_is_a_function_before_and_after_it_is_loaded() -> None:
    assert cli.main is main
    assert main(["--version"]) == 0
    assert cli.main is main
