"""Names of code, looked up in a tree of sources: found, moved, gone, or known from a description alone."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from attrs import evolve, frozen

from fencepost.anchors.scan import Evidence, Place, bases, places
from fencepost.errors import UsageError
from fencepost.registry import Entry
from fencepost.sources import DefinedIn, code_names, covers, described

ENDINGS = (".c", ".cc", ".cpp", ".h", ".hpp", ".inc")
"""What the names of source files end with."""


class State(enum.Enum):
    """What became of a name."""

    FOUND = "found"
    MOVED = "moved"
    GONE = "gone"
    DESCRIBED = "described"


@frozen
class Anchor:
    """A name of code: the actions that it occurs in, the files that may have it, and what describes it."""

    name: str
    actions: tuple[str, ...]
    files: tuple[str, ...] = ()
    described_by: str | None = None


@frozen
class Looked:
    """An anchor with what was found of it: only the places of the strongest evidence."""

    anchor: Anchor
    state: State
    places: tuple[Place, ...]


def anchors_of(entries: Iterable[Entry]) -> tuple[Anchor, ...]:
    """The names in what the actions of protocols stand for, sorted; an action is `protocol: action`.

    A name is described if any of the protocols says so, and may be in any file that one of them gives.
    """
    actions: dict[str, list[str]] = {}
    files: dict[str, dict[str, None]] = {}
    by: dict[str, str] = {}
    for protocol in (entry.protocol for entry in entries):
        for action in protocol.actions:
            by.update(described(action.src, protocol.sources))
            for name in code_names(action.src):
                actions.setdefault(name, []).append(f"{protocol.name}: {action.name}")
                for source in protocol.sources:
                    if isinstance(source, DefinedIn) and covers(source.names, name):
                        files.setdefault(name, {})[source.file] = None
    return tuple(
        Anchor(name, tuple(actions[name]), tuple(files.get(name, ())), by.get(name)) for name in sorted(actions)
    )


def look(anchors: Iterable[Anchor], folder: Path) -> tuple[Looked, ...]:
    """Look every anchor up in the sources below a folder.

    Raises:
        UsageError: there is no such folder, or it has no source that can be read.
    """
    anchors = tuple(anchors)
    index = Index.of(folder, frozenset(_last(anchor.name) for anchor in anchors))
    return tuple(_judge(anchor, index.find(anchor.name)) for anchor in anchors)


@frozen
class Index:
    """Where names stand, by file and line, and which class is derived from which."""

    places: Mapping[str, list[Place]]
    bases: Mapping[str, set[str]]

    @classmethod
    def of(cls, folder: Path, wanted: frozenset[str]) -> Index:
        """The index of the unqualified names that are wanted.

        Raises:
            UsageError: there is no such folder, or it has no source that can be read.
        """
        there: dict[str, list[Place]] = {}
        derived: dict[str, set[str]] = {}
        paths = list(_sources(folder))
        if not paths:
            raise UsageError(f"{folder}: no source file in it; they end in {', '.join(ENDINGS)}")
        for path in paths:
            text = _text(path)
            for place in places(text, path.relative_to(folder).as_posix(), wanted):
                there.setdefault(_last(place.path[-1]), []).append(place)
            for name, of in bases(text):
                derived.setdefault(name, set()).update(of)
        return cls(there, derived)

    def find(self, name: str) -> list[Place]:
        """The places of a name; where its class has it from another class, those there, as inherited."""
        path = tuple(name.split("::"))
        fitting = [place for place in self.places.get(_last(name), ()) if place.path[-len(path) :] == path]
        if fitting or len(path) == 1:
            return fitting
        ancestors, looked = sorted(self.bases.get(path[-2], ())), {path[-2]}
        while ancestors and not fitting:
            own = (place for of in ancestors for place in self._own(of, path[-1]))
            fitting = [evolve(place, evidence=Evidence.INHERITED) for place in own]
            looked.update(ancestors)
            ancestors = sorted({base for of in ancestors for base in self.bases.get(of, ())} - looked)
        return fitting

    def _own(self, cls: str, name: str) -> list[Place]:
        return [place for place in self.places.get(_last(name), ()) if place.path[-2:] == (cls, name)]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


def _judge(anchor: Anchor, fitting: list[Place]) -> Looked:
    strongest = min((place.evidence for place in fitting), key=list(Evidence).index, default=None)
    there = tuple(place for place in fitting if place.evidence is strongest)
    at_home = tuple(place for place in there if _is_in(place.file, anchor.files))
    if not there:
        return Looked(anchor, State.GONE if anchor.described_by is None else State.DESCRIBED, ())
    if anchor.files and not at_home and strongest is not Evidence.INHERITED:
        return Looked(anchor, State.MOVED, there)
    return Looked(anchor, State.FOUND, at_home or there)


def _is_in(file: str, ends: Iterable[str]) -> bool:
    parts = PurePosixPath(file).parts
    return any(parts[-len(end) :] == end for end in (PurePosixPath(end).parts for end in ends))


def _last(name: str) -> str:
    return name.rpartition("::")[2].removeprefix("~")


def _sources(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise UsageError(f"{folder}: {'not a directory' if folder.exists() else 'no such directory'}")
    for here, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield from (Path(here, file) for file in sorted(files) if file.endswith(ENDINGS) and Path(here, file).is_file())
