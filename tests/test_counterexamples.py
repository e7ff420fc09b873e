"""Every counterexample that is kept: replayed, rendered anew, none missing, none left over.

`verify record --protocol NAME` finds them anew (see CONTRIBUTING.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve, frozen

from fencepost.cli.saving import trace_files
from fencepost.ir.digest import digest
from fencepost.manifest import load
from fencepost.registry import Entry, find, names
from fencepost.trace.itf_read import read_itf
from fencepost.trace.replay import Replayed, replay

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "counterexamples"
RECORD = "verify record --protocol"
SUFFIXES = ("itf.json", "md", "html")


@frozen
class Kept:
    """A counterexample that has to be there: which violation, at which choice."""

    protocol: str
    stem: str
    variant: str | None
    sizes: tuple[tuple[str, int], ...]
    features: tuple[str, ...]
    violated: str

    @property
    def path(self) -> Path:
        return FOLDER / self.protocol / f"{self.stem}.itf.json"


def of_variants(entry: Entry) -> Iterator[Kept]:
    """One for each variant that says what it breaks, at its own sizes and features."""
    for variant in entry.protocol.variants:
        if variant.breaks is not None:
            sizes = {size.name: size.default for size in entry.protocol.sizes} | dict(variant.sizes)
            features = tuple(sorted(entry.features(variant.name)))
            stem = f"{variant.name}.{variant.breaks}".replace(":", "-").replace("/", "-")
            yield Kept(entry.name, stem, variant.name, tuple(sorted(sizes.items())), features, variant.breaks)


def of_findings(entry: Entry) -> Iterator[Kept]:
    """One for each entry of docs/findings.md that the manifest names."""
    for pin in MANIFESTS[entry.name].pin:
        features = tuple(sorted(pin.features))
        parts = [pin.variant or entry.protocol.default]
        if set(features) != entry.features(pin.variant):
            parts.append(f"with-{'-'.join(features)}" if features else "without-features")
        for name, prop in pin.properties.items():
            if pin.protocol == entry.name and prop.finding is not None:
                stem = ".".join((*parts, name))
                yield Kept(entry.name, stem, pin.variant, tuple(sorted(pin.sizes.items())), features, name)


ENTRIES = {name: entry for name in names() if (entry := find(name)).source.startswith("fencepost_rocm")}
MANIFESTS = {name: load(entry.manifest) for name, entry in ENTRIES.items()}


def kept() -> list[Kept]:
    found: dict[Path, Kept] = {}
    for entry in ENTRIES.values():
        for each in (*of_variants(entry), *of_findings(entry)):
            found.setdefault(each.path, each)
    return list(found.values())


KEPT = kept()


@pytest.mark.parametrize("each", KEPT, ids=lambda each: f"{each.protocol}/{each.stem}")
def test_it_reproduces_and_is_rendered_byte_for_byte(each: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    assert each.path.is_file(), f"not recorded: {RECORD} {each.protocol}"
    recorded = read_itf(each.path)
    header = recorded.header
    assert (header.protocol, header.variant, header.violated) == (each.protocol, each.variant, each.violated)
    assert tuple(sorted(header.sizes)) == each.sizes
    assert (tuple(sorted(header.features)), header.without) == (each.features, ())
    model = ENTRIES[each.protocol].build(variant=header.variant, sizes=dict(header.sizes), features=header.features)
    assert header.digest == digest(model), f"of an older model: {RECORD} {each.protocol}"
    again = replay(recorded, model, each.path.name)
    assert again.outcome is Replayed.REPRODUCES
    assert again.trace is not None
    stale = f"words of the model changed: {RECORD} {each.protocol}"
    monkeypatch.chdir(ROOT)
    files = trace_files(again.trace, each.stem, ENTRIES[each.protocol], each.path.parent)
    assert set(files) == {f"{each.stem}.{suffix}" for suffix in SUFFIXES}
    for name, text in files.items():
        assert (each.path.parent / name).read_bytes() == text.encode(), f"{name}: {stale}"
    pin = MANIFESTS[each.protocol].of(model)  # of an exhaustive search
    if pin is not None and each.violated in pin.properties:
        assert len(recorded.steps) == pin.properties[each.violated].length
    short = evolve(recorded, steps=recorded.steps[:-1], header=evolve(header, digest="0" * len(header.digest)))
    assert replay(short, model).outcome is Replayed.HARMLESS, "it goes on after the violation"


def test_none_is_left_over() -> None:
    expected = {each.path.parent / f"{each.stem}.{suffix}" for each in KEPT for suffix in SUFFIXES}
    there = {path for path in FOLDER.rglob("*") if path.is_file() and path.parent != FOLDER}
    assert sorted(map(str, there - expected)) == [], "nothing is kept that no variant and no finding asks for"
