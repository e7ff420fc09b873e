"""A sound scan of C and C++ sources for the places of names: no parser.

Comments and literals are blanked out. Braces are matched, and those of namespaces and classes remembered, so
that a place knows its scope; the branches of a conditional begin at the same depth. A function is defined
where a name, its parameters in parentheses and a body follow each other, which no call does. What is looked
for is known beforehand, so a file without any of the names is not taken apart.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

from attrs import frozen

_BLANKED = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)(?:\\\n|[^\n])*", re.MULTILINE)
_CONDITIONAL = {"if": "#if", "ifdef": "#if", "ifndef": "#if", "else": "#else", "elif": "#else", "endif": "#end"}
_MARK = re.compile(r"[{}]|^#(?:if|else|end)", re.MULTILINE)
_SCOPE = re.compile(
    r"""\b(?:(namespace|class|struct|union)\b(?:\s*(?:\[\[.*?\]\]|__\w+\s*\(.*?\)|[A-Z_]+\b(?=\s+\w)))*\s*
    ([\w:]*)(?:\s*<[^;{}]*>)?(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?|extern\s*)$""",
    re.VERBOSE,
)
_OPENED = re.compile(r"\s*(?:<[^<>;(){}]*>\s*)?\(")
_PARENTHESIS = re.compile(r"[()]")
_AFTER = re.compile(
    r"""(?:\s|const\b|volatile\b|noexcept\b|override\b|final\b|mutable\b|throw\s*\(\s*\)|&&?|[A-Z][A-Z_0-9]+\b
    |->\s*[\w:<>*&\s]+?(?=[{;]))*(\{|try\b|:(?!:)|=\s*(?:0|default|delete)\s*;|;)""",
    re.VERBOSE,
)
_BEFORE = re.compile(r"(?:[\w>*&\]};{)]|^|\w:)\s*$")
_NO_TYPE = re.compile(r"(?:\b(?:return|new|else|case|delete|throw|goto|co_return|and|or|not)|->|&&|\|\|)\s*$")
_TYPED = re.compile(r"[\w>][*&\s]+$")
_DATA = re.compile(r"\s*[;={[,]")
_DERIVED = re.compile(
    r"\b(?:class|struct)\s+(?:\[\[.*?\]\]\s*|[A-Z_0-9]+\s+)*(\w+)(?:\s+final)?\s*:(?!:)\s*([^;{}()]*)\{"
)
_ACCESS = ("public", "protected", "private", "virtual")
_QUALIFIERS = re.compile(r"(?:[A-Za-z_]\w*(?:\s*<[^<>;{}()]*>)?\s*::\s*)+~?$")


class Evidence(enum.Enum):
    """What stands at a place, the strongest first."""

    DEFINED = "defined"
    DECLARED = "declared"
    INHERITED = "inherited"
    """The class has it from another one, where it is defined or declared."""
    USED = "used"


@frozen
class Place:
    """Where a name stands: its scopes from the outermost in, itself last. Lines count from 1."""

    path: tuple[str, ...]
    file: str
    line: int
    evidence: Evidence


def bases(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The classes that a file derives from others, each with their names, unqualified."""
    for match in _DERIVED.finditer(text):
        named = re.sub(r"<[^<>]*>|\w+\s*::", "", match[2])
        yield match[1], tuple(word for word in _WORD.findall(named) if word not in _ACCESS)


def places(text: str, file: str, wanted: Collection[str]) -> Iterator[Place]:
    """Every place in a file of one of the names, which are unqualified; at most one mere use of each."""
    if set(wanted).isdisjoint(_WORD.findall(text)):
        return
    bare = _BLANKED.sub(_blank, text)
    code = _DIRECTIVE.sub(_directive, bare)
    scopes = _Scopes(code)
    used: set[str] = set()
    for match in _WORD.finditer(bare):
        name = match.group()
        if name not in wanted:
            continue
        qualifiers, evidence = _look(code, match.start(), match.end(), in_body=scopes.is_body(match.start()))
        if evidence is Evidence.USED and name in used:
            continue
        if evidence is Evidence.USED:
            used.add(name)
            path: tuple[str, ...] = (name,)
        else:
            tilde = "~" if code[: match.start()].endswith("~") else ""
            path = (*scopes.at(match.start()), *qualifiers, f"{tilde}{name}")
        yield Place(path, file, bare.count("\n", 0, match.start()) + 1, evidence)


def _look(code: str, start: int, end: int, *, in_body: bool) -> tuple[tuple[str, ...], Evidence]:
    """What a word is here, with the qualifiers before it."""
    head = code[max(0, start - 200) : start]
    qualified = _QUALIFIERS.search(head)
    before = (head[: qualified.start()] if qualified else head).rstrip("~")
    qualifiers = tuple(_WORD.findall(re.sub(r"<[^<>]*>", "", qualified.group()))) if qualified else ()
    opened = _OPENED.match(code, end)
    after = _AFTER.match(code, _closing(code, opened.end())) if opened else None
    if after and _BEFORE.search(before) and not _NO_TYPE.search(before):
        if after[1] in ("{", "try", ":"):
            return qualifiers, Evidence.DEFINED
        if not in_body:
            return qualifiers, Evidence.DECLARED
    if not opened and not in_body and _TYPED.search(before) and _DATA.match(code, end):
        return qualifiers, Evidence.DECLARED
    return qualifiers, Evidence.USED


def _closing(code: str, start: int) -> int:
    """Behind the parenthesis that closes the one before `start`; the end of the text if none does."""
    depth = 1
    for match in _PARENTHESIS.finditer(code, start):
        depth += 1 if match.group() == "(" else -1
        if not depth:
            return match.end()
    return len(code)


_Stack = list[tuple[str, ...] | None]
"""The scopes that are open, each with the names that it adds; None is a body, of a function or a value."""


class _Scopes:
    """The named scopes of every position."""

    def __init__(self, code: str) -> None:
        self._starts = [0]
        self._stacks: list[_Stack] = [[]]
        stack: _Stack = []
        branches: list[tuple[_Stack, _Stack | None]] = []
        for match in _MARK.finditer(code):
            match match.group():
                case "{":
                    stack.append(_opened(code, match.start()))
                case "}":
                    del stack[-1:]
                case "#if":
                    branches.append((stack[:], None))
                case "#else" if branches:
                    begun, first = branches.pop()
                    branches.append((begun, first or stack))
                    stack = begun[:]
                case "#end" if branches:
                    _, first = branches.pop()
                    stack = first or stack
            self._starts.append(match.end())
            self._stacks.append(stack[:])

    def at(self, position: int) -> tuple[str, ...]:
        """The names of the namespaces and classes around the position."""
        return tuple(name for scope in self._stack(position) for name in scope or ())

    def is_body(self, position: int) -> bool:
        """Whether the position is in a body rather than right in a namespace or class."""
        return self._stack(position)[-1:] == [None]

    def _stack(self, position: int) -> _Stack:
        return self._stacks[bisect_right(self._starts, position) - 1]


def _opened(code: str, brace: int) -> tuple[str, ...] | None:
    """The names that a brace opens a scope of, perhaps none; None for a body."""
    begin = max(code.rfind(mark, max(0, brace - 400), brace) for mark in ";{}#")
    head = code[begin + 1 : brace]
    found = _SCOPE.search(head.rstrip())
    return None if found is None else tuple(_WORD.findall(found[2] or ""))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _directive(match: re.Match[str]) -> str:
    """A directive blanked out; of a conditional one a mark of the same length is left, behind the line break."""
    kind = {"if": "#if", "ifdef": "#if", "ifndef": "#if", "else": "#else", "elif": "#else", "endif": "#end"}.get(
        match[1]
    )
    text = _blank(match)
    return text if kind is None or len(text) < len(kind) else kind + text[len(kind) :]
