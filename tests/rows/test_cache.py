"""Kept verdicts: found again under the same key alone, and never in the way."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from fencepost.ir.model import Model
from fencepost.manifest import Pin, PropertyPin
from fencepost.registry import find
from fencepost.rows import cache as module
from fencepost.rows.cache import Key, VerdictCache, source_digest
from fencepost.rows.look import Question
from fencepost.verdict import Verdict

COUNTER = str(Path(__file__).parents[1] / "cli" / "protocols" / "counter.py")


@pytest.fixture
def model() -> Model:
    return find(COUNTER).build()


@pytest.fixture
def cache(tmp_path: Path) -> VerdictCache:
    return VerdictCache(tmp_path / "verdicts")


@pytest.fixture
def key(cache: VerdictCache, model: Model) -> Key:
    return cache.key(model, None)


def pin_of(model: Model, states: int = 4, verdict: Verdict = Verdict.EXHAUSTED) -> Pin:
    properties = {"whole": PropertyPin(verdict, twin=2), "no-hang": PropertyPin(Verdict.EXHAUSTED)}
    return Pin("counter", model.variant, dict(model.sizes), model.features, states=states, properties=properties)


def test_what_was_kept_is_found(cache: VerdictCache, key: Key, model: Model) -> None:
    assert cache.find(key, model) is None
    assert cache.keep(key, pin_of(model)) == ""
    assert cache.find(key, model) == pin_of(model)
    assert [path.name for path in cache.path(key).parent.iterdir()] == [cache.path(key).name], "nothing else is left"


@pytest.mark.parametrize(
    "other",
    [
        lambda model: find(COUNTER).build(variant="stuck"),
        lambda model: find(COUNTER).build(sizes={"limit": 4}),
        lambda model: find(COUNTER).build(features=["reset"]),
        lambda model: find(COUNTER).build(without=["pull:above nought"]),
        lambda model: evolve(model, properties=model.properties[:1]),
        lambda model: evolve(model, protocol="another"),
        lambda model: evolve(model, variant="another"),
        lambda model: evolve(model, sizes=(("limit", 4),)),
        lambda model: evolve(model, features=("another",)),
        lambda model: evolve(model, without=("push:below the limit",)),
        lambda model: evolve(model, actions=model.actions[1:]),
    ],
)
def test_another_model_has_another_key(
    cache: VerdictCache, key: Key, model: Model, other: Callable[[Model], Model]
) -> None:
    assert cache.path(cache.key(other(model), None)) != cache.path(key)


def test_another_bound_or_engine_has_another_key(cache: VerdictCache, model: Model) -> None:
    asked = [(), (Question(("whole",), 3),), (Question(("whole",), 4),), (Question(("no-hang",), 3),)]
    keys = {cache.key(model, depth, bmc).text for depth in (None, 3) for bmc in asked}
    assert len(keys) == 8


def test_another_version_reads_nothing(
    cache: VerdictCache, key: Key, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(key, pin_of(model))
    monkeypatch.setattr(module, "version", lambda _: "99")
    assert cache.find(cache.key(model, None), model) is None


def test_an_edited_checkout_reads_nothing_and_keeps_its_own(
    cache: VerdictCache, key: Key, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(key, pin_of(model))
    monkeypatch.setattr(module, "source_digest", lambda: "edited")
    edited = VerdictCache(cache.folder, "edited")
    theirs = edited.key(model, None)
    assert edited.find(theirs, model) is None
    edited.keep(theirs, pin_of(model, states=5))
    assert edited.find(theirs, model) == pin_of(model, states=5)
    assert cache.find(key, model) == pin_of(model)


def test_nothing_is_kept_of_a_run_during_which_the_source_was_edited(
    cache: VerdictCache, key: Key, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "source_digest", lambda: "edited")
    assert cache.keep(key, pin_of(model)) == ""
    assert not cache.folder.exists()


def test_the_digest_of_the_source_covers_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    (deep / "one.py").write_text("a = 1\n")
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    seen = [source_digest()]
    for name, text in (("one.py", "a = 2\n"), ("search.c", "int a;\n"), ("search.c", "int b;\n")):
        (deep / name).write_text(text)
        seen.append(source_digest())
    (deep / "one.py").rename(deep / "two.py")
    seen.append(source_digest())
    assert len(set(seen)) == 5
    (deep / "__pycache__").mkdir()
    (deep / "__pycache__" / "two.cpython-311.pyc").write_bytes(b"made from source")
    assert source_digest() == seen[-1]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: "\x00junk",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("states = 4", "states = 5"),
        lambda text: text[: text.index("no-hang")],
    ],
)
def test_a_damaged_entry_is_passed_over_and_written_anew(
    cache: VerdictCache, key: Key, model: Model, damage: Callable[[str], str]
) -> None:
    cache.keep(key, pin_of(model))
    path = cache.path(key)
    path.write_text(damage(path.read_text()))
    assert cache.find(key, model) is None
    path.write_bytes(b"\xff\xfe")
    assert cache.find(key, model) is None
    cache.keep(key, pin_of(model))
    assert cache.find(key, model) == pin_of(model)


def test_an_entry_in_anothers_place_is_passed_over(cache: VerdictCache, key: Key, model: Model) -> None:
    """A stale one, of the same choice, as a clash of names or a person's hand would leave it there."""
    before = evolve(model, actions=model.actions[1:])
    older = VerdictCache(cache.folder, "older")
    for theirs in (cache.path(cache.key(before, None)), cache.path(cache.key(model, 3))):
        cache.keep(cache.key(before, None), pin_of(model))
        cache.keep(cache.key(model, 3), pin_of(model))
        theirs.rename(cache.path(key))
        assert cache.find(key, model) is None
    cache.keep(key, pin_of(model))
    text = cache.path(key).read_text()
    of_older = older.path(older.key(model, None))
    of_older.parent.mkdir()
    of_older.write_text(text)
    assert older.find(older.key(model, None), model) is None


def test_what_is_inconclusive_is_neither_kept_nor_believed(
    cache: VerdictCache, key: Key, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = pin_of(model, verdict=Verdict.INCONCLUSIVE)
    assert cache.keep(key, doubtful) == ""
    assert not cache.path(key).exists()
    with monkeypatch.context() as patched:
        patched.setattr(module, "conclusive", lambda pin: True)
        cache.keep(key, doubtful)
    assert cache.path(key).exists()
    assert cache.find(key, model) is None


def test_a_full_disk_is_told_and_leaves_nothing_behind(
    cache: VerdictCache, key: Key, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        assert cache.keep(key, pin_of(model)) == f"verdicts are not kept in {cache.folder}: No space left on device"
    assert list(cache.path(key).parent.iterdir()) == []
    assert cache.find(key, model) is None


def test_what_older_sources_kept_is_dropped(cache: VerdictCache, key: Key, model: Model) -> None:
    for age in range(12):
        folder = cache.folder / f"old{age:02}"
        folder.mkdir(parents=True)
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    cache.keep(key, pin_of(model))
    left = sorted(path.name for path in cache.folder.iterdir() if path != cache.path(key).parent)
    assert left == [f"old{age:02}" for age in range(7)]
    assert cache.find(key, model) == pin_of(model)


def test_readers_and_writers_at_once_never_see_half_an_entry(cache: VerdictCache, key: Key, model: Model) -> None:
    pins = [pin_of(model, states=states) for states in (4, 5)]
    cache.keep(key, pins[0])
    seen: list[Pin | None] = []

    def write(pin: Pin) -> None:
        for _ in range(100):
            cache.keep(key, pin)

    writers = [threading.Thread(target=write, args=(pin,)) for pin in pins]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        seen.append(cache.find(key, model))
    for writer in writers:
        writer.join()
    assert all(pin in pins for pin in seen)
