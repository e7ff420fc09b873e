"""Pages of the documentation, run: their Python blocks become files, their console blocks are typed in.

What a block is for stands in a comment right before its fence:

- `<!-- file: NAME -->` the block is the whole file;
- `<!-- append: NAME -->` it goes to the end of the file;
- `<!-- replace: NAME -->` each definition in it takes the place of the file's one of that name;
- `<!-- refused: NAME -->` the file with the block at its end is refused, with the line in the next block
  (`NAME:OBJECT` where the file has several protocols);
- `<!-- excerpt: PATH -->` the block stands, line for line, in that file of the repository.

A console block needs no comment: lines that start with `$ ` are typed in, the rest is what comes out.
A line `...` stands for lines left out, ` ...` at the end of a line for the rest of it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from attrs import field, frozen, mutable

from fencepost.cli import main

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
RUN = ("file", "append", "replace", "refused", "excerpt")
_DIRECTIVE = re.compile(r"<!-- (\w+): (\S+) -->")
_PLAIN = re.compile(r"verify [^|<>&;`$]*")


@frozen
class Block:
    """A fenced block: its language, what the comment before it says, its text and its first line's number."""

    language: str
    directive: str
    target: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """Every fenced block of a page, in order."""
    lines = page.splitlines()
    opened: int | None = None
    for number, text in enumerate(lines):
        if not text.startswith("```"):
            continue
        if opened is None:
            opened = number
            continue
        said = _DIRECTIVE.fullmatch(lines[opened - 1].strip()) if opened else None
        directive, target = (said[1], said[2]) if said else ("", "")
        body = "".join(f"{line}\n" for line in lines[opened + 1 : number])
        yield Block(lines[opened][3:].strip(), directive, target, body, opened + 2)
        opened = None
    assert opened is None, f"the block that opens at line {opened} is not closed"


@frozen
class Typed:
    """A command of a console block and the output shown below it."""

    command: str
    shown: str


def typed(block: Block) -> Iterator[Typed]:
    """The commands of a console block, each with its output."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert parts[0] == "", f"line {block.line}: a console block starts with a command"
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        yield Typed(command, shown)


def matches(shown: str, output: str) -> bool:
    """Whether the output is the one shown, where `...` stands for anything."""
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith(" ..."):
            pattern += re.escape(line.removesuffix("...")) + ".*\n"
        else:
            pattern += re.escape(line) + "\n"
    return re.fullmatch(pattern, output) is not None


@mutable
class Shell:
    """A folder to work in, and the exit code of the last command."""

    folder: Path
    code: int = field(default=0, init=False)

    def __call__(self, command: str) -> str:
        """Type in a command; what comes out on both streams, together."""
        if command == "echo $?":
            return f"{self.code}\n"
        if _PLAIN.fullmatch(command):
            return self._verify(shlex.split(command)[1:])
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.code = done.returncode
        return done.stdout

    def _verify(self, args: list[str]) -> str:
        """In this process: starting one takes longer than most checks."""
        linecache.clearcache()
        out = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            self.code = main(args)
        return out.getvalue()


@mutable
class Runner:
    """Runs the blocks of a page in a folder."""

    folder: Path
    shell: Shell = field(init=False)
    _refused: str = field(default="", init=False)

    def __attrs_post_init__(self) -> None:
        self.shell = Shell(self.folder)

    def run(self, block: Block) -> None:
        """Run one block.

        Raises:
            AssertionError: it does not do what the page says.
        """
        if block.language == "console":
            for step in typed(block):
                output = self.shell(step.command)
                assert matches(step.shown, output), (
                    f"line {block.line}: $ {step.command}\n--- shown\n{step.shown}--- came out\n{output}"
                )
        elif block.directive == "excerpt":
            source = (REPOSITORY / block.target).read_text("utf-8")
            assert _dedented(block.text) in _dedented(source), f"line {block.line}: not in {block.target}"
        elif block.directive:
            self._write(block)
        elif self._refused:
            assert block.text.strip() == self._refused, f"line {block.line}: the message is\n{self._refused}"
            self._refused = ""
        else:
            assert block.language != "python", f"line {block.line}: say what this Python is for"

    def _write(self, block: Block) -> None:
        name, colon, chosen = block.target.partition(":")
        path = self.folder / name
        before = path.read_text("utf-8") if path.exists() else ""
        match block.directive:
            case "file":
                path.write_text(block.text, "utf-8")
            case "append":
                path.write_text(f"{before.rstrip()}\n\n\n{block.text}", "utf-8")
            case "replace":
                path.write_text(replaced(before, block.text), "utf-8")
            case "refused":
                trial = self.folder / "refused.py"
                trial.write_text(f"{before.rstrip()}\n\n\n{block.text}", "utf-8")
                output = self.shell(f"verify --protocol refused.py{colon}{chosen}")
                assert self.shell.code == 2, f"line {block.line}: it is not refused:\n{output}"
                self._refused = re.sub(r"refused\.py:\d+: ", "", output.removeprefix("verify: ").strip())
            case unknown:
                raise AssertionError(f"line {block.line}: there is no directive {unknown!r}")


def run_page(page: Path, folder: Path) -> int:
    """Run every block of a page that is to be run, in a folder; how many there were."""
    runner, count = Runner(folder), 0
    for block in blocks(page.read_text("utf-8")):
        runner.run(block)
        count += block.language in ("console", "python")
    return count


def replaced(source: str, block: str) -> str:
    """The source with each top-level definition of the block in place of its own of that name."""
    for new in ast.parse(block).body:
        lines = source.splitlines(keepends=True)
        old = next(node for node in ast.parse(source).body if _name(node) == _name(new))
        text = "".join(block.splitlines(keepends=True)[_first(new) - 1 : new.end_lineno])
        source = "".join([*lines[: _first(old) - 1], text, *lines[old.end_lineno :]])
    return source


def _name(node: ast.stmt) -> str:
    """What a statement defines; an import defines what it imports from."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case ast.ImportFrom(module=str(name)):
            return f"from {name}"
        case _:
            return ""


def _first(node: ast.stmt) -> int:
    """The line at which a statement begins, its decorators included."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _dedented(text: str) -> str:
    return "\n".join(line.strip() for line in textwrap.dedent(text).splitlines())
