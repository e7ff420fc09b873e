"""`verify certify`: a proof that stands, proofs that were changed, and files that are no certificates."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.engines import ENGINES
from fencepost.proof import certificate
from fencepost.proof.certificate import as_smtlib, load
from fencepost.proof.clause import Vocabulary
from fencepost.proof.solvers import CHECKERS
from fencepost.registry import find
from tests.cli.conftest import Ran, Verify
from tests.foreign import lacking

GATE = '''"""A gate that opens for whoever holds the key, and a door behind it."""

from __future__ import annotations

from fencepost import Actor, Bool, Kind, Properties, Protocol, Record, Step, boolean


class State(Record):
    """Key, gate and door."""

    key = boolean()
    gate = boolean()
    door = boolean()


protocol = Protocol("gate", state=State)


@protocol.action(by=Actor("guard"), src="gate.c: find", kind=Kind.ENVIRONMENT)
def find(m: Step, s: State) -> None:
    """Find the key."""
    m.require(~s.key, "not found")
    s.key = True


@protocol.action(by=Actor("guard"), src="gate.c: turn", kind=Kind.ENVIRONMENT)
def turn(m: Step, s: State) -> None:
    """Open the gate."""
    m.require(s.key, "key")
    s.gate = True


@protocol.action(by=Actor("guest"), src="gate.c: pass", kind=Kind.ENVIRONMENT)
def enter(m: Step, s: State) -> None:
    """Open the door."""
    m.require(s.gate, "gate open")
    s.door = True


properties = Properties("gate")


@properties.invariant("entered-with-key", protects="gate.c: turn", twin=lambda s: s.door)
def entered_with_key(s: State) -> Bool:
    """An open door was opened by somebody with the key."""
    return s.door.implies(s.key)
'''

CLAUSES = ["gate or not door", "key or not gate"]


@pytest.fixture
def proved(verify: Verify) -> Callable[..., Ran]:
    """Writes a certificate of the gate by hand, with what is given in place of its own, and checks it."""
    for checker in CHECKERS.values():
        if reason := checker.missing():
            lacking(reason)
    Path("gate.py").write_text(GATE)
    model = find("gate.py").build()
    words = Vocabulary.of(model)

    def check(*args: str, **changed: Any) -> Ran:
        document: dict[str, Any] = {
            "schema": certificate.SCHEMA,
            "fencepost": "0",
            "protocol": "gate",
            "variant": None,
            "sizes": {},
            "features": [],
            "without": [],
            "digest": certificate.digest(model),
            "maker": {"engine": "hand", "tool": "a person", "version": "1"},
            "proves": ["entered-with-key", "obligations"],
            "bounds": [],
            "invariant": changed.get("invariant", CLAUSES),
        }
        if "smtlib" not in changed:
            document["smtlib"] = list(as_smtlib(model, [words.read(line) for line in document["invariant"]]))
        Path("gate.json").write_text(json.dumps(document | changed))
        return verify("certify", "gate.json", "--protocol", "gate.py", *args)

    return check


def test_a_proof_is_accepted(proved: Callable[..., Ran]) -> None:
    ran = proved()
    assert (ran.code, ran.err) == (0, "")
    first, *rest = ran.out.splitlines()
    assert first.startswith("gate.json: ACCEPTED by cvc5 ")
    assert " and bitwuzla " in first
    assert rest == [
        "  proves     entered-with-key, obligations",
        "  for        every depth, at these sizes; no bound is in the way",
        "  invariant  2 clauses, found by a person 1 (engine hand)",
        "  cvc5       initiation 1 of 1, consecution 2 of 2, safety 1 of 1",
        "  bitwuzla   initiation 1 of 1, consecution 2 of 2, safety 1 of 1",
    ]


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        ([], "allows a state in which entered-with-key is violated"),
        (CLAUSES[:1], "allows a state in which entered-with-key is violated"),
        (CLAUSES[1:], "allows a state in which entered-with-key is violated"),
        ([*CLAUSES, "door"], "not so in the initial state: door"),
        ([*CLAUSES, "not door"], "not kept by enter(): not door"),
        (["key or not door"], "not kept by enter(): key or not door"),
    ],
    ids=str,
)
def test_a_changed_invariant_is_refused(proved: Callable[..., Ran], clauses: list[str], why: str) -> None:
    ran = proved(invariant=clauses)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines()[0] == f"gate.json: REFUSED, {why}"


def test_a_refusal_shows_the_step(proved: Callable[..., Ran]) -> None:
    out = proved(invariant=["key or not door"]).out
    shown = out[out.index("counterexample to induction") :].splitlines()
    assert shown[0] == "counterexample to induction: not a run from the initial state"
    assert "In this state (all else is as in the initial one), which no run need reach:" in shown
    assert "  gate = true" in shown
    assert "  1  guest  enter()  door: false -> true  [gate.c: pass]" in shown
    assert shown[-1] == "Fails: key or not door"


def test_the_questions_for_another_solver(proved: Callable[..., Ran]) -> None:
    assert proved("--export", "out").code == 0
    script = Path("out/gate.smt2").read_text()
    assert script.count("(check-sat)") == 4
    assert "; consecution enter()\n" in script


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"schema": "fencepost.certificate/9"}, "schema: it is 'fencepost.certificate/9'; this fencepost reads"),
        ({"digest": "0123456789abcdef"}, "it is of another model: gate was changed since"),
        ({"protocol": "tower"}, "it is a certificate of 'tower', not of 'gate'"),
        ({"variant": "brittle"}, "its model cannot be built"),
        ({"sizes": {"queues": 2}}, "its model cannot be built"),
        ({"sizes": [2]}, "sizes: it is not an object"),
        ({"features": ["\x1b[2J"]}, "its model cannot be built"),
        ({"proves": []}, "it does not say what it proves"),
        ({"proves": ["everything"]}, "'everything' is not a property of gate"),
        ({"bounds": ["turn"]}, "'turn' is not an action with a bound of gate"),
        ({"smtlib": []}, "its SMT-LIB text is not what its clauses say"),
        ({"smtlib": 1}, "an integer stands where a list should"),
        ({"maker": {"engine": "x", "tool": "cvc5", "version": "1"}}, "cvc5 found this proof; choose others"),
        ({"maker": None}, "null stands where an object should"),
        ({"surprise": 1}, "there is no field 'surprise'"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_file_is_one_line(
    proved: Callable[..., Ran], changed: dict[str, Any], problem: str
) -> None:
    ran = proved(**changed)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("verify: gate.json: ")
    assert problem in ran.err
    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "it is not JSON, or it is cut off"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"7", "it is not an object"),
        (b"{}", "schema: it is None"),
    ],
)
def test_what_is_no_certificate_is_one_line(verify: Verify, text: bytes, problem: str) -> None:
    Path("gate.json").write_bytes(text)
    ran = verify("certify", "gate.json")
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err


def test_a_clause_of_no_element(verify: Verify, proved: Callable[..., Ran]) -> None:
    assert proved().code == 0
    document = json.loads(Path("gate.json").read_text())
    document["invariant"][0] = "lock"
    Path("gate.json").write_text(json.dumps(document))
    ran = verify("certify", "gate.json", "--protocol", "gate.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "verify: gate.json: clause 1: the model has no element 'lock'\n"


def test_an_oversized_file(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "LARGEST_FILE", 10)
    Path("gate.json").write_text("{" + " " * 20 + "}")
    assert "22 bytes are more than any certificate has" in verify("certify", "gate.json").err


def test_a_file_that_is_not_there(verify: Verify) -> None:
    assert verify("certify", "nowhere.json").err == "verify: nowhere.json: cannot be read: No such file or directory\n"


@pytest.mark.foreign
def test_pdr_writes_a_certificate_of_which_every_clause_is_needed(verify: Verify, proved: Callable[..., Ran]) -> None:
    if reason := ENGINES["pdr"].missing():
        lacking(reason)
    Path("gate.py").write_text(GATE)
    ran = verify("--protocol", "gate.py", "--engine", "pdr", "--certificate", "made.json", "--quiet")
    assert ran.code == 0
    assert ran.out.splitlines()[0].split("  ")[:2] == ["entered-with-key", "PROVED"]
    made = load(Path("made.json").read_text(), "made.json")
    assert (made.maker.engine, made.maker.tool, made.bounds) == ("pdr", "abc", ())
    assert proved(invariant=list(made.invariant)).code == 0
    for clause in made.invariant:
        assert proved(invariant=[other for other in made.invariant if other != clause]).code == 1


def test_a_certificate_wants_an_engine_that_proves(verify: Verify) -> None:
    Path("gate.py").write_text(GATE)
    ran = verify("--protocol", "gate.py", "--certificate", "made.json")
    assert ran.code == 2
    assert "--engine auto writes no certificates" in ran.err
