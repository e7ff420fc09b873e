"""Verdicts kept from one run to the next, so that a row that has not changed need not be run again.

An entry is a manifest of one pin below a line with its key and a line with the digest of the rest. Its
key has all that the numbers depend on: the model, its properties, the engine, the bound, and the tool,
its own source included. Time and memory are not in it, since what they cut short is never kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from attrs import field, frozen

from fencepost.errors import UsageError
from fencepost.ir.digest import digest
from fencepost.ir.model import Model
from fencepost.kept import cache_folder
from fencepost.manifest import Manifest, Pin, dump, parse
from fencepost.rows.look import Question
from fencepost.verdict import Verdict

_FORMAT = 1
_TOOLS = 8
"""Of how many versions of the tool's source entries are kept, those of the latest use."""


def source_digest() -> str:
    """A digest of the tool's own source: an edited checkout reads nothing that it did not write itself."""
    whole = hashlib.sha256()
    for name, file in sorted(_sources(files("fencepost"), "")):
        data = file.read_bytes()
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()[:16]


def _sources(folder: Traversable, within: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{within}{each.name}/")
        elif not each.name.endswith(".pyc"):  # C is source, too
            yield f"{within}{each.name}", each


@frozen
class Key:
    """All that a row's numbers depend on; two keys are the same where their texts are."""

    text: str

    @classmethod
    def of(cls, model: Model, depth: int | None, bmc: Sequence[Question], source: str) -> Key:
        """The key of exploring a model to a depth, and of what the bounded check is asked."""
        parts = {
            "format": _FORMAT,
            "protocol": model.protocol,
            "variant": model.variant,
            "sizes": dict(model.sizes),
            "features": sorted(model.features),
            "without": sorted(model.without),
            "model": digest(model),
            "properties": [prop.name for prop in model.properties],
            "engines": ["explore", "bmc"] if bmc else ["explore"],
            "depth": depth,
            "bmc": [[question.properties, question.depth] for question in bmc],
            "version": _version(),
            "source": source,
            "python": sys.implementation.cache_tag,
        }
        return cls(json.dumps(parts))


@frozen
class VerdictCache:
    """The entries in a folder that one version of the tool's source made. Several processes may use it at once."""

    folder: Path
    source: str = field(factory=source_digest)

    @classmethod
    def of_user(cls) -> VerdictCache:
        """The one in the user's cache folder."""
        return cls(cache_folder() / "verdicts")

    def key(self, model: Model, depth: int | None, bmc: Sequence[Question] = ()) -> Key:
        """The key of exploring a model to a depth, and of what the bounded check is asked."""
        return Key.of(model, depth, bmc, self.source)

    def find(self, key: Key, model: Model) -> Pin | None:
        """What was kept under the key; None if nothing was, or if it cannot be read or is not what it says."""
        try:
            head, checksum, body = self.path(key).read_text("utf-8").split("\n", 2)
            if head != _head(key) or checksum != _checksum(body):
                return None
            (pin,) = parse(body, "a kept verdict").pin
        except (OSError, ValueError, UsageError):
            return None
        return pin if pin.fits(model) and conclusive(pin) else None

    def keep(self, key: Key, pin: Pin) -> str:
        """Keep what came out, unless it is inconclusive; why it could not be kept, for a person, or nothing.

        Nothing is kept if the source was edited meanwhile: who knows which of it ran.
        """
        if not conclusive(pin) or source_digest() != self.source:
            return ""
        body = dump(Manifest(pin=(pin,)))
        target = self.path(key)
        try:
            if not target.parent.is_dir():
                target.parent.mkdir(parents=True, exist_ok=True)
                self._forget(target.parent)
            _replace(target, "\n".join((_head(key), _checksum(body), body)))
        except OSError as error:
            return f"verdicts are not kept in {self.folder}: {error.strerror or error}"
        return ""

    def path(self, key: Key) -> Path:
        """Where the entry of a key is."""
        return self.folder / self.source / f"{_sha(key.text)[:32]}.toml"

    def _forget(self, current: Path) -> None:
        """Drop what the versions of the tool before the last few kept."""
        others = [path for path in self.folder.iterdir() if path.is_dir() and path != current]
        for path in sorted(others, key=lambda path: path.stat().st_mtime)[: -_TOOLS + 1]:
            shutil.rmtree(path, ignore_errors=True)


def conclusive(pin: Pin) -> bool:
    """Whether every verdict says something."""
    return all(prop.verdict is not Verdict.INCONCLUSIVE for prop in pin.properties.values())


def _version() -> str:
    try:
        return version("fencepost")
    except PackageNotFoundError:
        return "not installed"


def _head(key: Key) -> str:
    return f"# {key.text}"


def _checksum(body: str) -> str:
    return f"# {_sha(body)}"


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _replace(target: Path, text: str) -> None:
    """Write the file at once, so that nobody reads half of it."""
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
