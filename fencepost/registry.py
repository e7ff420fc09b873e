"""Finds protocols and their properties: installed ones by entry point, a user's own by path.

Entry points `fencepost.protocols` and `fencepost.properties` map a protocol's name to
`module:object`. A path names a Python file of the user's, which is run as a module.
"""

from __future__ import annotations

import importlib.resources
import importlib.util
import sys
import sysconfig
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from attrs import evolve, frozen

from fencepost.errors import FencepostError, InternalError, Location, ModelError, UsageError, refused
from fencepost.ir.model import Model
from fencepost.lang.location import shown_path
from fencepost.lang.properties import Properties
from fencepost.lang.protocol import Protocol
from fencepost.names import require_known, unknown

PROTOCOLS = "fencepost.protocols"
PROPERTIES = "fencepost.properties"
MANIFEST = "manifest.toml"

T = TypeVar("T")


@frozen
class Entry:
    """A protocol as found, what must hold of it, and where its pins are.

    `source` is the module that it comes from, for a person to read. `file` is its file as the user
    named it, with the object's name if that was given; empty for an installed one.
    """

    name: str
    protocol: Protocol
    properties: tuple[Properties, ...]
    manifest: Traversable | None
    source: str
    file: str = ""

    def build(
        self,
        *,
        variant: str | None = None,
        sizes: Mapping[str, int] | None = None,
        features: Sequence[str] | None = None,
        without: Sequence[str] = (),
    ) -> Model:
        """The model at one choice of variant, sizes and features.

        Raises:
            UsageError: an unknown name or a size out of bounds.
            ModelError: the protocol is written wrongly; any other exception of its code becomes one.
        """
        protocol = self.protocol
        if variant is not None:
            known_variants = [protocol.default, *(known.name for known in protocol.variants)]
            require_known(f"variant of {self.name}", variant, known_variants)
        for size in sizes or {}:
            require_known(f"size of {self.name}", size, [known.name for known in protocol.sizes])
        for feature in features or ():
            require_known(f"feature of {self.name}", feature, [known.name for known in protocol.features])
        return _guarded(
            lambda: protocol.build(
                variant=variant, sizes=sizes, features=features, properties=self.properties, without=without
            ),
            f"cannot build {self.name}",
        )

    def sizes(self, variant: str | None) -> dict[str, int]:
        """The sizes that hold unless the user says otherwise."""
        chosen = next((known for known in self.protocol.variants if known.name == variant), None)
        own = {size.name: size.default for size in self.protocol.sizes}
        return own if chosen is None else own | dict(chosen.sizes)

    def features(self, variant: str | None) -> frozenset[str]:
        """The features that are in unless the user says otherwise."""
        chosen = next((known for known in self.protocol.variants if known.name == variant), None)
        if chosen is not None and chosen.features is not None:
            return frozenset(chosen.features)
        return frozenset(feature.name for feature in self.protocol.features if feature.default)


def names() -> tuple[str, ...]:
    """The installed protocols' names, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=PROTOCOLS)}))


def find(name: str) -> Entry:
    """The protocol of that name, or in that file (`path.py`, or `path.py:object` where it has several).

    Raises:
        UsageError: there is none; the message has the nearest name.
        ModelError: its code is wrong; the message has file and line.
    """
    path, _, chosen = name.partition(".py:")
    if name.endswith(".py") or chosen:
        return evolve(_from_file(Path(path if name.endswith(".py") else f"{path}.py"), chosen), file=name)
    points = [point for point in entry_points(group=PROTOCOLS) if point.name == name]
    if not points:
        raise unknown("protocol", name, names())
    protocol = _load(points[0], Protocol)
    found = [point for point in entry_points(group=PROPERTIES) if point.name == name]
    properties = tuple(_load(point, Properties) for point in found)
    manifests = [manifest for point in found if (manifest := _manifest_beside(point.module)) is not None]
    return Entry(name, protocol, properties, manifests[0] if manifests else None, points[0].value)


def _load(point: EntryPoint, kind: type[T]) -> T:
    loaded = _guarded(point.load, f"cannot load {point.name} ({point.value})")
    if not isinstance(loaded, kind):
        raise ModelError(f"{point.value} is a {type(loaded).__name__}", f"it must be a {kind.__name__}")
    return loaded


def _manifest_beside(module: str) -> Traversable | None:
    package = module.rpartition(".")[0] or module
    manifest = importlib.resources.files(package) / MANIFEST
    return manifest if manifest.is_file() else None


def _from_file(path: Path, chosen: str) -> Entry:
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file; give a protocol's name or the path of a Python file")
    module = _run(path)
    protocol = _pick(path, module, chosen)
    properties = _properties_of(protocol, path, module)
    manifest = path.with_suffix(".manifest.toml")
    return Entry(protocol.name, protocol, properties, manifest if manifest.is_file() else None, shown_path(str(path)))


def _run(path: Path) -> ModuleType:
    """The file run as a module under a private name; it may import what lies beside it."""
    name = f"_fencepost_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)  # last, so that nothing beside it hides an installed package
    loader = spec.loader
    _guarded(lambda: loader.exec_module(module), f"cannot run {path}")
    return module


def _pick(path: Path, module: ModuleType, chosen: str) -> Protocol:
    found = {name: value for name, value in vars(module).items() if isinstance(value, Protocol)}
    if chosen:
        require_known(f"protocol in {path}", chosen, found)
        return found[chosen]
    own = {name: value for name, value in found.items() if not _is_imported(value, module)} or found
    distinct = {id(value): name for name, value in own.items()}
    if not distinct:
        raise UsageError(f"{path}: there is no protocol in this file; write `protocol = Protocol(...)`")
    if len(distinct) > 1:
        raise UsageError(f"{path}: several protocols; say which: {', '.join(f'{path}:{name}' for name in sorted(own))}")
    return next(iter(own.values()))


def _properties_of(protocol: Protocol, path: Path, module: ModuleType) -> tuple[Properties, ...]:
    """The file's properties of that protocol; properties of others alone are a slip, not a choice."""
    found = {id(value): value for _, value in sorted(vars(module).items()) if isinstance(value, Properties)}
    own = tuple(value for value in found.values() if value.protocol == protocol.name)
    if found and not own:
        other = next(iter(found.values())).protocol
        raise UsageError(
            f"{path}: its properties are of {other!r}, its protocol is {protocol.name!r}; "
            f'write `Properties("{protocol.name}")`, and `include` the others'
        )
    return own


def _is_imported(value: Protocol, module: ModuleType) -> bool:
    others = [other for other in sys.modules.values() if other is not module and isinstance(other, ModuleType)]
    return any(value is held for other in others for held in list(vars(other).values()))


def _guarded(call: Callable[[], T], doing: str) -> T:
    """Call code that is not ours; whatever it raises becomes one line with file and line."""
    try:
        return call()
    except FencepostError:
        raise
    except SyntaxError as error:
        if error.filename is None:
            raise ModelError(f"{doing}: syntax error: {error.msg}") from error
        raise ModelError(
            f"syntax error: {error.msg}", at=Location(shown_path(error.filename), error.lineno or 1)
        ) from error
    except (Exception, SystemExit) as error:
        what = f"{doing}: {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
        place = _innermost(error)
        if place is None and isinstance(error, OSError):
            raise refused(error) from error
        if place is None and not isinstance(error, ImportError):
            raise InternalError(what) from error  # no code but ours was running
        raise ModelError(what, at=place) from error


def _innermost(error: BaseException) -> Location | None:
    """The deepest frame that is neither ours nor the standard library's."""
    ours = str(Path(__file__).parent)
    library = sysconfig.get_path("stdlib")
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", ours))
        and (not frame.filename.startswith(library) or "site-packages" in frame.filename)
    ]
    return Location(shown_path(frames[-1].filename), frames[-1].lineno or 1) if frames else None
