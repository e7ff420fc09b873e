"""What is promised to users: a name that goes, or a file that is loaded unasked, is seen here."""

from __future__ import annotations

import enum
import inspect
import re
from pathlib import Path

import pytest

import fencepost
import fencepost.parts
from fencepost import Record, Step
from fencepost.lang.values import Value
from fencepost.testing import ProtocolTests
from tests.cli.conftest import COUNTER, Verify, verify
from tests.docs.page import DOCS
from tests.goldens import FOLDER

__all__ = ["verify"]  # a fixture

LIST = FOLDER / "public.txt"

TATTLE = "open({!r}, 'w').close()\n"


def public() -> dict[str, set[str]]:
    """Every public name and what belongs to it, with the parameters that it takes."""
    found: dict[str, set[str]] = {}
    for module in (fencepost, fencepost.parts):
        for name in module.__all__:
            value = getattr(module, name)
            full = f"{module.__name__}.{name}"
            found[full] = _parameters(value)
            found |= {f"{full}.{own}": _parameters(getattr(value, own)) for own in _owned(value)}
    attributes = [name for name in vars(ProtocolTests) if not name.startswith(("_", "test_"))]
    return found | {f"fencepost.testing.ProtocolTests.{name}": set() for name in attributes}


def _owned(value: object) -> list[str]:
    ours = [cls for cls in getattr(value, "__mro__", ()) if cls.__module__.startswith("fencepost")]
    return sorted({name for cls in ours for name in vars(cls) if not name.startswith("_")})


def _parameters(value: object) -> set[str]:
    """None of what the tool makes itself: values, records and steps."""
    made = isinstance(value, type) and issubclass(value, (Value, Record, Step, Exception, enum.Enum))
    if made or not callable(value):
        return set()
    return {name for name in inspect.signature(value).parameters if name not in ("self", "at")}


def test_no_public_name_and_no_parameter_is_gone() -> None:
    """What is new may be added to the list by `python -m tests.test_stability`; what goes breaks a promise."""
    now = public()
    promised = dict(line.partition(":")[::2] for line in LIST.read_text("utf-8").splitlines())
    gone = {name: set(parameters.split()) - now.get(name, set()) for name, parameters in promised.items()}
    assert [name for name in promised if name not in now] == []
    assert {name: parameters for name, parameters in gone.items() if parameters} == {}
    assert len(promised) > 150


@pytest.mark.parametrize(
    "args",
    [
        ["--protocol", "counter.py", "--quiet"],
        ["--list"],
        ["new", "something"],
        ["replay", "trace.itf.json"],
        ["replay", "trace.itf.json", "--protocol", "counter.py"],
        ["render", "trace.itf.json"],
        ["pins", "--protocol", "counter.py"],
        ["anchors", "--protocol", "counter.py", "."],
    ],
    ids=" ".join,
)
def test_no_file_is_loaded_that_was_not_named(verify: Verify, args: list[str]) -> None:
    """Beside it lie one that tells when it is loaded, a trace that says it is of it, and others of such names."""
    Path("counter.py").write_text(Path(COUNTER).read_text())
    verify("--protocol", "counter.py", "--variant", "brittle", "--export", "traces")
    trace = Path("traces/brittle.whole.itf.json").read_text()
    assert '"counter"' in trace
    Path("trace.itf.json").write_text(trace.replace('"counter"', '"tattling"'))
    Path("counter.manifest.toml").write_text("")
    for name in ("tattling", "conftest", "fencepost_protocols", "sitecustomize", "setup", "test_counter"):
        Path(f"{name}.py").write_text(TATTLE.format(f"{name}-was-loaded"))
    verify(*args)
    assert list(Path().glob("*-was-loaded")) == []


def test_a_file_that_is_named_is_run(verify: Verify) -> None:
    """So the test above could fail."""
    Path("counter.py").write_text(Path(COUNTER).read_text() + TATTLE.format("counter-was-loaded"))
    verify("--protocol", "counter.py", "--quiet")
    assert Path("counter-was-loaded").exists()


def documented(name: str) -> bool:
    """A page tells of it, or it is of a part, which tells of itself."""
    pages = " ".join(
        (DOCS / page).read_text("utf-8") for page in ("language.md", "properties.md", "pytest.md", "atomic-steps.md")
    )
    return name.startswith("fencepost.parts.") or name.rpartition(".")[2] in re.findall(r"\w+", pages)


if __name__ == "__main__":
    kept = {name: parameters for name, parameters in public().items() if documented(name)}
    lines = [f"{name}: {' '.join(sorted(parameters))}".rstrip() for name, parameters in sorted(kept.items())]
    LIST.write_text("\n".join(lines) + "\n", "utf-8")
