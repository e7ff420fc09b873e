"""The compiled search at sizes that take threads, growth and limits."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from attrs import evolve

from fencepost import Actor, Protocol, Record, Step, number
from fencepost.explore import bfs, compiler
from fencepost.explore.compiler import Failed, find_compiler
from fencepost.explore.foresight import states_left
from fencepost.explore.native import Compiled, Native
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Manner, ProgressEvent, Run, Stop
from tests.explore.test_bfs import GRID

pytestmark = [
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
    pytest.mark.usefixtures("own_cache"),
]


BLOCKS = ("-DBLOCK=256", "-DROUND=64", "-DFEW=2048")
"""The sizes that are not given one by one."""


def handles(variant: str | None = None) -> Model:
    """120,944 states as it is, the largest level of them some 13,000: enough for several blocks."""
    return find("recycled-handle").build(variant=variant, sizes={"queues": 3, "handles": 2, "slots": 3})


def compiled(model: Model, threads: int = 1, limit: int | None = None) -> Compiled:
    native = Native.of(model, model.properties)
    assert isinstance(native, Native)
    ready = native.ready(wait=True, threads=threads, limit=limit)
    assert isinstance(ready, Compiled), ready
    return ready


def run(model: Model, threads: int, depth: int | None = None) -> Run:
    compiled(model)  # so that it is cached, and the search begins in C
    return evolve(bfs.run(model, depth=depth, manner=Manner(threads)), seconds=0)


@pytest.mark.parametrize("variant", [None, "buggy"])
def test_the_number_of_threads_makes_no_difference(variant: str | None) -> None:
    model = handles(variant)
    one = run(model, threads=1)
    for threads in (2, 3, 8):
        assert run(model, threads) == one


@pytest.mark.parametrize("few", [30, 300, 3000])
def test_the_table_may_grow_in_a_level_too_small_for_threads(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of at most so many states are for one thread; a larger table is made by all once there are more states.

    This model's levels grow slowly, so that there are far more states than in any one of them.
    """
    model = find("cpu-wait").build()
    expected = run(model, threads=1, depth=40)
    small = ("-DBLOCK=8", "-DROUND=2", "-DSMALLEST=4", f"-DFEW={few}")
    monkeypatch.setattr(compiler, "_OPTIONS", (*compiler._OPTIONS, *small))
    assert run(model, threads=3, depth=40) == expected


def test_so_it_is_in_python() -> None:
    model = handles()
    in_python = evolve(bfs.run(model, compile_after=None), seconds=0)
    assert run(model, threads=2) == in_python
    assert in_python.states == 120_944


@pytest.mark.parametrize("threads", [1, 2])
def test_order_and_edges_are_the_same(threads: int) -> None:
    """States are numbered as they are found; there are as many steps as were counted."""
    search = compiled(handles(), threads)
    while True:
        assert all(search.expand())
        if not search.advance():
            break
    states = list(search.states(0, search.count))
    assert len(set(states)) == 120_944
    assert search.levels[:3] == [0, 1, 5]
    highest = transitions = 0
    for edges in search.edges(0, search.count):
        for source, target in zip(edges.sources, edges.targets, strict=True):
            assert source <= highest
            assert target <= highest + 1
            highest = max(highest, target)
        transitions += len(edges.sources)
    assert (transitions, highest) == (524_311, 120_943)
    search.close()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", [1 << 20, 1_200_000, 1_500_000, 2_000_000])
def test_a_limit_of_memory_is_kept_and_what_was_found_is_told(limit: int, threads: int) -> None:
    """A table of 64 Ki slots takes half a megabyte of it: less than the states want."""
    model = handles()
    search = compiled(model, threads, limit)
    went = True
    while went:
        went = all(search.expand())
        assert search.bytes <= limit
        if went:
            assert search.advance(), "it came to the end"
    assert 0 < search.count < 120_944
    outcome = search.outcome(model)
    assert outcome.states == search.count
    assert outcome.transitions >= search.count - 1
    assert len(set(search.states(0, search.count))) == search.count
    search.close()


def test_a_region_that_is_full_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight bits lie in a word of their own, told by the region; regions of two slots overflow long before the end."""
    sizes = {"queues": 4, "handles": 3, "slots": 2}
    model = find("recycled-handle").build(sizes=sizes)
    monkeypatch.setattr(compiler, "_OPTIONS", (*compiler._OPTIONS, "-DROOMY=1", "-DSMALLEST=9", *BLOCKS))
    search = compiled(model)
    assert (search.source.words, search.source.key_words) == (2, 1)
    while all(search.expand()):
        assert search.advance()
    assert 1 < search.count < 6_000_000
    search.close()


def test_the_engine_says_that_memory_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(handles())
    monkeypatch.setattr(bfs, "resident", lambda: 0)
    found = bfs.run(handles(), memory=1 << 20)
    assert found.stop is Stop.MEMORY
    assert found.reason == "memory reached the limit of 1 MiB"
    assert found.states is not None
    assert 0 < found.depth < 27
    assert 0 < found.states < 120_944


def test_what_was_compiled_before_is_searched_in_c_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = evolve(GRID, protocol="compiled before")
    compiled(model).close()
    monkeypatch.setattr(bfs, "Interpreted", None)
    assert bfs.run(model).stop is Stop.EXHAUSTED


def test_a_compiler_that_fails_leaves_the_search_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    found = bfs.run(handles(), compile_after=0)
    assert found.stop is Stop.EXHAUSTED
    assert found.reason == "searched in Python: the C compiler ended with status 1: no message"


def test_a_full_disk_leaves_the_search_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("FENCEPOST_CACHE", str(tmp_path))
    monkeypatch.setattr(Path, "write_text", full)
    found = bfs.run(handles(), compile_after=0)
    assert found.stop is Stop.EXHAUSTED
    assert found.reason == "searched in Python: the model could not be compiled: No space left on device"


def test_half_a_library_in_the_cache_leaves_the_search_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FENCEPOST_CACHE", str(tmp_path))
    native = Native.of(GRID, GRID.properties)
    assert isinstance(native, Native)
    (tmp_path / compiler.cached(native.text, native.compiler).name).write_bytes(b"half")
    assert native.is_cached
    found = bfs.run(GRID, compile_after=0)
    assert found.stop is Stop.EXHAUSTED
    assert found.reason.startswith("searched in Python: the compiled model could not be loaded")
    assert list(tmp_path.iterdir()) == []


def test_no_compiler_is_no_matter_where_none_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.explore.native.find_compiler", lambda: None)
    assert bfs.run(GRID).reason == ""
    assert isinstance(Native.of(GRID, ()), Failed)
    assert "no C compiler was found" in bfs.run(handles(), compile_after=0).reason


def test_what_is_left_is_told_once_levels_shrink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bfs, "_PROGRESS_SECONDS", 0)
    compiled(handles())
    seen: list[ProgressEvent] = []
    bfs.run(handles(), progress=seen.append)
    told = [event for event in seen if event.expected is not None]
    assert seen[0].expected is None
    assert all(event.expected is not None and event.expected >= event.states for event in told)
    assert told[-1].expected == pytest.approx(120_944, rel=0.05)


@pytest.mark.parametrize(
    ("sizes", "left"),
    [((), None), ((5,), None), ((1, 2, 4, 8, 16), None), ((16, 16, 16, 16, 1), 1), ((16, 8, 4, 2, 1), 1)],
)
def test_foresight(sizes: tuple[int, ...], left: int | None) -> None:
    """By halves, one is left after one; by halves over four levels, the same."""
    assert states_left(sizes) == left


class Strip(Record):
    along = number(0, 799)
    across = number(0, 99)


def thin() -> Model:
    """80,000 states in levels of at most 100: the table grows where one thread alone looks at a level."""
    protocol = Protocol("thin", state=Strip)

    @protocol.action(by=Actor("walker"), src="f")
    def go(m: Step, s: Strip) -> None:
        m.require(s.along < 799, "not at the end")
        s.along = s.along + 1

    @protocol.action(by=Actor("walker"), src="f")
    def aside(m: Step, s: Strip) -> None:
        m.require(s.across < 99, "not at the edge")
        s.across = s.across + 1

    return protocol.build()


def test_a_table_that_grows_in_a_small_level_makes_no_difference() -> None:
    one = run(thin(), threads=1)
    assert one.states == 80_000
    assert run(thin(), threads=2) == one
