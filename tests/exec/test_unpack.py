"""Taking a state apart by table."""

from __future__ import annotations

from fencepost.exec.low import STATE, Dynamic, Field, Lit, Local
from fencepost.exec.low_build import add
from fencepost.exec.low_code import Fire, Let
from fencepost.exec.unpack import WINDOW, unpack

S = Local(STATE, 0, (1 << 40) - 1)
V = Local("v1", 0, 255)


def field(offset: int, width: int) -> Field:
    return Field(S, offset, width, (1 << width) - 1)


def test_fields_near_each_other_share_a_look_up() -> None:
    # Bits 3..4 lie between the two fields, and go nowhere.
    got = unpack((Let(V, add(field(0, 3), field(5, 2))),))
    assert got.lines == ("f5, _, f0 = T0[s & 127]",)
    assert got.tables["T0"][0b10_01_110] == (0b10, 0b01, 0b110)
    assert got.block == (Let(V, add(Local("f0", 0, 7), Local("f5", 0, 3))),)


def test_a_field_across_the_end_of_a_window_begins_another() -> None:
    far = field(WINDOW - 1, 2)
    got = unpack((Let(V, add(add(field(0, 1), field(1, 1)), add(far, Dynamic(S, far, 1, 1)))),))
    assert got.lines == ("f1, f0 = T0[s & 3]", f"f{WINDOW - 1} = s >> {WINDOW - 1} & 3")


def test_a_field_read_once_and_alone_is_left_where_it_is() -> None:
    block = (Let(V, field(20, 4)),)
    assert unpack(block).lines == ()
    assert unpack(block).block == block


def test_a_wide_field_has_no_table() -> None:
    got = unpack((Let(V, field(0, 30)), Fire(0, field(0, 30))))
    assert got.lines == ("f0 = s & 1073741823",)
    assert got.tables == {}


def test_fields_of_another_state_are_left() -> None:
    other = Field(Local("v2", 0, 255), 0, 2, 3)
    block = (Let(V, other), Let(V, add(other, Lit(1))))
    assert unpack(block).block == block
