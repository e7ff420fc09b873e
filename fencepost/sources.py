"""Where the code is that a protocol's actions stand for, and which of it is known from a description alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import frozen

MARK = "described: "
"""Stands before what an action stands for where nobody could look at some of that code."""

_NAME = re.compile(r"[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*")
_HUMP = re.compile(r"[a-z][A-Z]")


@frozen
class Described:
    """Names of code that is known from a description alone. A class's name stands for its members, too."""

    by: str
    names: tuple[str, ...]


@frozen
class DefinedIn:
    """Names of code that is defined in a file, given by the end of its path. A class's name stands for its members."""

    file: str
    names: tuple[str, ...]


Source = Described | DefinedIn


def code_names(src: str) -> tuple[str, ...]:
    """The names of code in what an action stands for, in order.

    A name is a word that has `::` or `_` in it, or a capital after a small letter; other words are prose.
    """
    found = dict.fromkeys(_NAME.findall(src))
    return tuple(name for name in found if "::" in name or "_" in name or _HUMP.search(name))


def covers(names: Iterable[str], name: str) -> bool:
    """Whether one of the names is that one, or its class or namespace."""
    return any(name == known or name.startswith(f"{known}::") for known in names)


def described(src: str, sources: Iterable[Source]) -> Iterator[tuple[str, str]]:
    """The names in `src` that are known from a description alone, each with what describes it."""
    known = [source for source in sources if isinstance(source, Described)]
    for name in code_names(src):
        for source in known:
            if covers(source.names, name):
                yield name, source.by
                break


def marked(src: str, sources: Iterable[Source]) -> str:
    """What an action stands for, as shown: behind a mark where some of it is known from a description alone."""
    return f"{MARK}{src}" if any(described(src, sources)) else src
