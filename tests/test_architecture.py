"""The import arrows of ARCHITECTURE.md, checked on the source without importing it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "ARCHITECTURE.md"
ROOTS = {"fencepost": ROOT, "fencepost_rocm": ROOT / "model", "fencepost_rocm_properties": ROOT / "properties"}
PUBLIC = ("fencepost", "fencepost.parts")
LONGEST = 420
TICKED = re.compile(r"`(\w+)`")


@frozen
class Import:
    """One import statement: the module that has it, the module it names, and the names it takes."""

    importer: str
    line: int
    module: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.module} ({', '.join(self.names)})"


def files(package: str) -> list[Path]:
    return sorted((ROOTS[package] / package).rglob("*.py"))


def module_of(package: str, path: Path) -> str:
    return ".".join(path.relative_to(ROOTS[package]).with_suffix("").parts)


def imports_in(source: str, importer: str) -> Iterator[Import]:
    """Every import, those inside of functions too. Relative ones do not occur: the linter bans them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(importer, node.lineno, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{importer}:{node.lineno} imports relatively"
            yield Import(importer, node.lineno, node.module or "", tuple(alias.name for alias in node.names))


def imports_of(package: str) -> Iterator[Import]:
    for path in files(package):
        yield from imports_in(path.read_text("utf-8"), module_of(package, path))


def top(module: str) -> str:
    return module.partition(".")[0]


def room(module: str) -> str:
    """The room of a module of fencepost: `ir` for `fencepost.ir.expr`, `__init__` for `fencepost` itself."""
    return [*module.split("."), "__init__"][1]


def rooms_named(imported: Import) -> Iterator[str]:
    """The rooms that an import of fencepost reaches; `from fencepost import ir` reaches `ir`."""
    own = ROOTS["fencepost"] / "fencepost"
    if imported.module == "fencepost":
        yield from (
            name if (own / name).is_dir() or (own / f"{name}.py").is_file() else "__init__" for name in imported.names
        )
    else:
        yield room(imported.module)


def public_names(module: str) -> set[str]:
    """`__all__` of a package, read from its source."""
    path = ROOT.joinpath(*module.split("."), "__init__.py")
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
            return set(ast.literal_eval(node.value))
    raise AssertionError(f"{path} has no __all__")


def allowed() -> dict[str, set[str]]:
    """What each room may import, from the page's table."""
    table = PAGE.read_text("utf-8").split("<!-- arrows: fencepost -->")[1].split("<!-- end -->")[0]
    rows = [line.strip("|").split("|") for line in table.strip().splitlines()[2:]]
    return {TICKED.findall(name)[0]: set(TICKED.findall(arrows)) for name, _, arrows in rows}


def test_every_room_has_a_row() -> None:
    assert set(allowed()) == {room(module_of("fencepost", path)) for path in files("fencepost")}


def test_fencepost_imports_only_along_the_arrows() -> None:
    arrows = allowed()
    wrong = [
        str(imported)
        for imported in imports_of("fencepost")
        if top(imported.module) == "fencepost"
        for target in rooms_named(imported)
        if target != (own := room(imported.importer)) and target not in arrows[own]
    ]
    assert wrong == []


def test_the_arrows_make_no_cycle() -> None:
    assert list(TopologicalSorter(allowed()).static_order())


def test_only_lang_writes_the_ir() -> None:
    readers = {name for name, arrows in allowed().items() if "lang" in arrows}
    assert readers == {"__init__", "registry"}


@pytest.mark.parametrize("content", ["fencepost_rocm", "fencepost_rocm_properties"])
def test_the_tool_imports_no_content(content: str) -> None:
    assert [str(i) for i in imports_of("fencepost") if top(i.module) == content] == []


@pytest.mark.parametrize("package", sorted(ROOTS))
def test_nothing_that_is_installed_imports_the_benchmarks(package: str) -> None:
    assert [str(i) for i in imports_of(package) if top(i.module) == "benchmarks"] == []


def test_no_benchmark_is_too_long() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in (ROOT / "benchmarks").rglob("*.py")}
    assert len(lengths) > 10
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


@pytest.mark.parametrize(
    ("package", "others"),
    [
        ("fencepost_rocm", {"fencepost_rocm"}),
        ("fencepost_rocm_properties", {"fencepost_rocm", "fencepost_rocm_properties"}),
    ],
)
def test_content_imports_public_names_only(package: str, others: set[str]) -> None:
    public = {module: public_names(module) for module in PUBLIC}
    ours = [imported for imported in imports_of(package) if top(imported.module).startswith("fencepost")]
    wrong = [
        str(imported)
        for imported in ours
        if top(imported.module) not in others and not set(imported.names) <= public.get(imported.module, set())
    ]
    assert ours
    assert wrong == []


@pytest.mark.parametrize("package", sorted(ROOTS))
def test_no_module_is_too_long(package: str) -> None:
    lengths = {module_of(package, path): len(path.read_text("utf-8").splitlines()) for path in files(package)}
    assert {module: length for module, length in lengths.items() if length > LONGEST} == {}


def test_imports_are_seen_wherever_they_stand() -> None:
    source = "import fencepost.smt\ndef f():\n    from fencepost import ir, Record\n"
    seen = list(imports_in(source, "fencepost.report"))
    assert [(i.line, i.module, i.names) for i in seen] == [(1, "fencepost.smt", ()), (3, "fencepost", ("ir", "Record"))]
    assert [name for i in seen for name in rooms_named(i)] == ["smt", "ir", "__init__"]
