"""An exporter that is wrong is caught: the checker's counts or verdict are no longer ours.

Each error is put into the exported text, as an exporter with that defect would write it.
"""

from __future__ import annotations

import pytest
from attrs import evolve, frozen

from fencepost.ir.model import Model
from fencepost.peers import rumur, spin
from fencepost.peers.crosscheck import compare, exported
from fencepost.peers.peers import PEERS
from fencepost.peers.seen import Peer, Seen
from fencepost.registry import find
from tests.foreign import need
from tests.profile import PATIENCE

pytestmark = pytest.mark.foreign


@frozen
class Planted:
    """One wrong text: what stood there, and what the defect writes."""

    what: str
    right: str
    wrong: str


MURPHI = (
    Planted("a guard dropped", "(queues[queue].packets[1].kind = PacketKind_NONE)", "true"),
    Planted("a range too short by one", "in_flight: array [Queue] of 0..2;", "in_flight: array [Queue] of 0..1;"),
    Planted("an assignment lost", "barriers[handle].signal := Signal_COMPLETE;", ""),
    Planted(
        "a loop too short by one", "for slot: Slot do\n      if slot != 1", "for slot: 1..1 do\n      if slot != 1"
    ),
    Planted("an index mixed up", "barriers[handle].in_flight[queue] = 0", "barriers[0].in_flight[queue] = 0"),
    Planted(
        "a property turned round",
        "-> barriers[handle].signal != Signal_FREE end",
        "-> barriers[handle].signal = Signal_FREE end",
    ),
)

PROMELA = (
    Planted("a guard dropped", "((queues[queue].packets[1].kind == PacketKind_NONE));", "skip;"),
    Planted("an initial value lost", "    queues[1].transition = none;\n", ""),
    Planted("an assignment lost", "barriers[handle].signal = Signal_COMPLETE;", ""),
    Planted("a range too short by one", "(t2 >= 0) :: else", "(t2 >= 1) :: else"),
    Planted("a loop too short by one", "for (handle2 : 0 .. 1) {\n    t1 =", "for (handle2 : 0 .. 0) {\n    t1 ="),
    Planted("a place that is not left at 0", "  handle2 = 0;\n  slot = 0;\n}", "  slot = 0;\n}"),
)


def chosen() -> Model:
    return exported(find("recycled-handle").build(sizes={"queues": 2, "handles": 2, "slots": 2}))


def as_it_is(model: Model, tool: str) -> str:
    return (rumur.murphi if tool == "rumur" else spin.promela).export(model).text


def with_error(planted: Planted, tool: str) -> Peer:
    """The tool, given the text with the error in it."""

    def search(model: Model, *, timeout: float, past_obligations: bool = False) -> Seen:
        wrong = as_it_is(model, tool).replace(planted.right, planted.wrong)
        if tool == "rumur":
            return rumur.search_text(wrong, model, timeout=timeout, past_errors=past_obligations)
        return spin.search_text(wrong, model, timeout=timeout)

    return evolve(PEERS[tool], search=search)


@pytest.mark.parametrize(
    ("tool", "planted"),
    [*(("rumur", each) for each in MURPHI), *(("spin", each) for each in PROMELA)],
    ids=lambda each: each if isinstance(each, str) else each.what,
)
def test_an_error_is_caught(tool: str, planted: Planted) -> None:
    need(tool)
    need("cc")
    assert planted.right in as_it_is(chosen(), tool)
    assert compare(chosen(), with_error(planted, tool), PATIENCE, each=False).differences


@pytest.mark.parametrize("tool", PEERS)
def test_without_an_error_there_is_nothing_to_catch(tool: str) -> None:
    need(tool)
    need("cc")
    assert compare(chosen(), PEERS[tool], PATIENCE).differences == ()
