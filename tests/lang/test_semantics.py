"""What protocols mean: recorded actions under the interpreter, against results worked out by hand."""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Choice,
    Int,
    Maybe,
    Record,
    Step,
    array,
    boolean,
    choice,
    count,
    exists,
    forall,
    index,
    ite,
    maybe,
    members,
    number,
    table,
    total,
)
from tests.lang.systems import Handle, Queue, System, build


class Phase(enum.Enum):
    FREE = "free"
    ARMED = "armed"
    DONE = "done"


class Numbers(Record):
    a = number(0, 9)
    b = number(0, 9)
    c = number(0, 9)
    on = boolean()


class Slots(Record):
    level = array(Queue, number(0, 9))
    use = index(Queue)
    owner = maybe(Queue)
    owns = members(Handle)
    of = array(Handle, maybe(Queue))


class Use(Record):
    phase = choice(Phase)
    length = number(0, 9)


class Uses(Record):
    uses = table(Handle, Use)
    pick = index(Handle)
    first = number(0, 9)


class TestValues:
    def test_a_value_that_was_read_keeps_its_value(self) -> None:
        def swap(m: Step, s: Numbers) -> None:
            before = s.a
            s.a = s.b
            s.b = before

        system = System(build(Numbers, swap), a=3, b=7).do("swap")
        assert (system["a"], system["b"]) == (7, 3)

    def test_a_read_after_an_assignment_sees_it(self) -> None:
        def chain(m: Step, s: Numbers) -> None:
            s.a = s.a + 1
            s.b = s.a + 1
            s.c = s.b + s.a

        system = System(build(Numbers, chain), a=1).do("chain")
        assert (system["a"], system["b"], system["c"]) == (2, 3, 5)

    def test_an_expression_is_of_the_time_when_it_was_written(self) -> None:
        def keep(m: Step, s: Numbers) -> None:
            total_before = s.a + s.b
            s.a = 0
            s.b = 0
            s.c = total_before

        assert System(build(Numbers, keep), a=2, b=3).do("keep")["c"] == 5

    def test_a_reference_has_the_index_of_its_line(self) -> None:
        def refer(m: Step, s: Uses) -> None:
            use = s.uses[s.pick]
            s.pick = Handle.at(2)
            use.length = 9

        system = System(build(Uses, refer), pick=1).do("refer")
        assert [system[f"uses[{i}].length"] for i in range(3)] == [0, 9, 0]

    def test_a_reference_reads_what_is_there_now(self) -> None:
        def refer(m: Step, s: Uses) -> None:
            use = s.uses[s.pick]
            use.length = 4
            s.first = use.length

        assert System(build(Uses, refer)).do("refer")["first"] == 4

    def test_guards_are_on_the_state_before(self) -> None:
        def bump(m: Step, s: Numbers) -> None:
            m.require(s.a < 2, "below two")
            s.a = s.a + 1

        system = System(build(Numbers, bump))
        assert [system.do("bump").ended for _ in range(3)] == ["", "", "below two"]

    def test_a_value_out_of_its_range_breaks_an_obligation(self) -> None:
        def bump(m: Step, s: Numbers) -> None:
            s.a = s.a + 1

        system = System(build(Numbers, bump), a=9).do("bump")
        assert (system.ended, system["a"]) == ("range:bump/a", 9)

    def test_ite_and_arithmetic(self) -> None:
        def reckon(m: Step, s: Numbers) -> None:
            s.a = ite(s.on, s.b, 0) + ite(s.on, 1, 2)
            s.c = 9 - s.b + -s.a

        system = System(build(Numbers, reckon), b=3, on=1).do("reckon")
        assert (system["a"], system["c"]) == (4, 2)
        system.set("on", 0)
        assert (system.do("reckon")["a"], system["c"]) == (2, 4)

    def test_ite_takes_constants_of_any_sort_on_either_side(self) -> None:
        def choose(m: Step, s: Uses, other: Choice[Phase], owner: Maybe[Queue]) -> None:
            s.uses[Handle.at(0)].phase = ite(s.first > 0, Phase.DONE, other)
            s.uses[Handle.at(1)].phase = ite(s.first > 0, Phase.DONE, Phase.ARMED)

        system = System(build(Uses, choose), first=1).do("choose", 1, -1)
        assert (system["uses[0].phase"], system["uses[1].phase"]) == (2, 2)
        system.set("first", 0)
        system.do("choose", 1, -1)
        assert (system["uses[0].phase"], system["uses[1].phase"]) == (1, 1)

    def test_comparisons(self) -> None:
        def compare(m: Step, s: Numbers) -> None:
            below, at_most, above = s.a < s.b, s.a <= s.b, s.a > s.b
            at_least, equal, other = s.a >= s.b, s.a == s.b, s.a != s.b
            results = (below, at_most, above, at_least, equal, other)
            s.c = total_of(results)

        def total_of(results: tuple[Bool, ...]) -> Int:
            made = ite(results[0], 1, 0)
            for result in results[1:]:
                made = made + ite(result, 1, 0)
            return made

        model = build(Numbers, compare)
        assert [System(model, a=a, b=4).do("compare")["c"] for a in (3, 4, 5)] == [3, 3, 3]

    def test_laziness_keeps_an_index_from_being_checked(self) -> None:
        def look(m: Step, s: Slots) -> None:
            m.require(s.owner.is_some & (s.level[s.owner.get] == 0), "owner is empty")
            s.use = s.owner.get

        model = build(Slots, look)
        assert System(model, owner=-1).do("look").ended == "owner is empty"
        assert System(model, owner=1).do("look")["use"] == 1

    def test_the_other_order_is_checked(self) -> None:
        def look(m: Step, s: Slots) -> None:
            m.require((s.level[s.owner.get] == 0) & s.owner.is_some, "owner is empty")

        assert System(build(Slots, look), owner=-1).do("look").ended == "range:look/Queue"

    def test_implies_evaluates_its_consequence_only_where_it_counts(self) -> None:
        def look(m: Step, s: Slots) -> None:
            m.require(s.owner.is_some.implies(s.level[s.owner.get] == 0), "empty if owned")

        model = build(Slots, look)
        assert System(model, owner=-1).do("look").ended == ""
        assert System(model, owner=0, **{"level[0]": 1}).do("look").ended == "empty if owned"


class TestIndices:
    def test_next_is_cyclic(self) -> None:
        def turn(m: Step, s: Uses) -> None:
            s.pick = s.pick.next

        system = System(build(Uses, turn))
        assert [system.do("turn")["pick"] for _ in range(4)] == [1, 2, 0, 1]

    def test_ordinal_at_of_last_and_count(self) -> None:
        def use(m: Step, s: Uses) -> None:
            s.first = s.pick.ordinal + Handle.count()
            s.pick = Handle.of(2 - s.pick.ordinal)
            s.uses[Handle.last()].length = 1
            s.uses[Handle.at(1)].length = m.size(Queue)

        system = System(build(Uses, use), pick=2).do("use")
        assert [system[name] for name in ("first", "pick", "uses[2].length", "uses[1].length")] == [5, 0, 1, 2]

    def test_a_computed_position_that_is_none_breaks_an_obligation(self) -> None:
        def use(m: Step, s: Uses) -> None:
            s.pick = Handle.of(s.first)

        assert System(build(Uses, use), first=3).do("use").ended == "range:use/Handle"

    def test_options(self) -> None:
        def give(m: Step, s: Slots, queue: Queue) -> None:
            s.owner = ite(s.owner == queue, None, s.owner)
            with m.when(s.owner.is_none):
                s.use = queue
            with m.otherwise():
                s.owner = queue

        model = build(Slots, give)
        same = System(model, owner=1).do("give", 1)
        assert (same["owner"], same["use"]) == (-1, 1)
        other = System(model, owner=0, use=0).do("give", 1)
        assert (other["owner"], other["use"]) == (1, 0)

    def test_sets(self) -> None:
        def toggle(m: Step, s: Slots, handle: Handle) -> None:
            with m.when(s.owns.has(handle)):
                s.owns = s.owns.removing(handle)
            with m.otherwise():
                s.owns = s.owns.adding(handle)

        def fill(m: Step, s: Slots) -> None:
            m.require(s.owns.is_empty, "empty")
            s.owns = [Handle.at(0), Handle.at(2)]

        system = System(build(Slots, toggle, fill))
        assert [system.do("toggle", h)["owns"] for h in (1, 2, 1)] == [0b010, 0b110, 0b100]
        assert system.do("fill").ended == "empty"
        assert system.do("toggle", 2).do("fill")["owns"] == 0b101

    def test_quantifiers(self) -> None:
        def look(m: Step, s: Slots) -> None:
            m.require(forall(Queue, lambda queue: s.level[queue] < 5), "all low")
            m.require(exists(Queue, lambda queue: s.level[queue] > 2), "one high")
            m.require(total(Queue, lambda queue: s.level[queue]) == 4, "four")
            m.require(count(Queue, lambda queue: s.level[queue] > 0) == 2, "both")

        model = build(Slots, look)
        cases = {(5, 0): "all low", (2, 2): "one high", (3, 3): "four", (4, 0): "both", (3, 1): ""}
        for (one, other), ended in cases.items():
            assert System(model, **{"level[0]": one, "level[1]": other}).do("look").ended == ended

    def test_choices(self) -> None:
        def look(m: Step, s: Uses, handle: Handle) -> None:
            m.require(s.uses[handle].phase.is_in(Phase.FREE, Phase.DONE), "free or done")
            m.require(s.uses[handle].phase != Phase.FREE, "not free")

        model = build(Uses, look)
        assert [System(model, **{"uses[1].phase": phase}).do("look", 1).ended for phase in range(3)] == [
            "not free",
            "free or done",
            "",
        ]


class TestBranches:
    def test_when_and_otherwise(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            with m.when(s.on):
                s.a = 1
            with m.otherwise():
                s.a = 2
            s.b = s.a

        model = build(Numbers, branch)
        assert [System(model, on=on).do("branch")["b"] for on in (0, 1)] == [2, 1]

    def test_both_sides_start_from_the_state_before(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            s.a = 5
            with m.when(s.on):
                s.a = s.a + 1
                s.b = s.a
            with m.otherwise():
                s.b = s.a

        model = build(Numbers, branch)
        assert [(run["a"], run["b"]) for run in (System(model, on=on).do("branch") for on in (0, 1))] == [
            (5, 5),
            (6, 6),
        ]

    def test_the_condition_is_of_the_time_before_the_branch(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            with m.when(s.on):
                s.on = False
                s.a = 1
            with m.otherwise():
                s.a = 2

        model = build(Numbers, branch)
        assert System(model, on=1).do("branch")["a"] == 1

    def test_branches_nest(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            with m.when(s.a > 0):
                with m.when(s.a > 1):
                    s.b = 2
                with m.otherwise():
                    s.b = 1
                s.c = s.b
            with m.otherwise():
                s.c = 9

        model = build(Numbers, branch)
        assert [System(model, a=a).do("branch")["c"] for a in (0, 1, 2)] == [9, 1, 2]

    def test_two_conditions_in_one_with(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            with m.when(s.on), m.when(s.a > 0):
                s.b = 1

        model = build(Numbers, branch)
        assert [System(model, on=on, a=a).do("branch")["b"] for on in (0, 1) for a in (0, 1)] == [0, 0, 0, 1]

    def test_a_value_read_before_a_branch_outlives_it(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            before = s.a
            with m.when(s.on):
                s.a = 0
            s.b = before

        assert System(build(Numbers, branch), on=1, a=7).do("branch")["b"] == 7

    def test_a_python_if_chooses_what_is_recorded(self) -> None:
        def branch(m: Step, s: Numbers) -> None:
            for amount in (1, 2, 3):
                if amount == 2:
                    continue
                s.a = s.a + amount

        assert System(build(Numbers, branch)).do("branch")["a"] == 4


class TestLoops:
    def test_each_turn_sees_the_last(self) -> None:
        def fill(m: Step, s: Slots) -> None:
            s.level[Queue.at(0)] = 1
            for queue in m.each(Queue):
                s.level[queue] = s.level[queue] + s.level[Queue.at(0)]

        system = System(build(Slots, fill)).do("fill")
        assert (system["level[0]"], system["level[1]"]) == (2, 2)

    def test_turns_are_in_ascending_order(self) -> None:
        def shift(m: Step, s: Uses) -> None:
            for handle in m.each(Handle):
                with m.when(handle != Handle.last()):
                    s.uses[handle].length = s.uses[handle.next].length

        system = System(build(Uses, shift), **{"uses[0].length": 1, "uses[1].length": 2, "uses[2].length": 3})
        system.do("shift")
        assert [system[f"uses[{i}].length"] for i in range(3)] == [2, 3, 3]

    def test_a_read_in_a_loop_is_of_its_turn(self) -> None:
        def fill(m: Step, s: Numbers) -> None:
            for _ in m.each(Handle):
                before = s.a
                s.a = s.a + 1
                s.b = before

        system = System(build(Numbers, fill)).do("fill")
        assert (system["a"], system["b"]) == (3, 2)

    def test_loops_nest_and_branch(self) -> None:
        def pair(m: Step, s: Slots) -> None:
            for queue in m.each(Queue):
                for handle in m.each(Handle):
                    with m.when(queue.ordinal + handle.ordinal == 2):
                        s.of[handle] = queue

        system = System(build(Slots, pair)).do("pair")
        assert [system[f"of[{i}]"] for i in range(3)] == [-1, 1, 0]

    def test_a_helper_may_loop_for_its_caller(self) -> None:
        def occupied(m: Step, s: Slots) -> object:
            for queue in m.each(Queue):
                with m.when(s.level[queue] > 0):
                    yield queue

        def drain(m: Step, s: Slots) -> None:
            for queue in occupied(m, s):  # type: ignore[attr-defined]
                s.level[queue] = s.level[queue] - 1

        system = System(build(Slots, drain), **{"level[1]": 2}).do("drain")
        assert (system["level[0]"], system["level[1]"]) == (0, 1)


class TestRecords:
    def test_copy_takes_every_field_as_it_is_now(self) -> None:
        def copy(m: Step, s: Uses) -> None:
            s.uses[Handle.at(1)].length = 5
            m.copy(s.uses[Handle.at(0)], s.uses[Handle.at(1)])
            s.uses[Handle.at(1)].length = 6

        system = System(build(Uses, copy), **{"uses[1].phase": 2}).do("copy")
        assert (system["uses[0].phase"], system["uses[0].length"], system["uses[1].length"]) == (2, 5, 6)

    def test_copy_onto_itself_changes_nothing(self) -> None:
        def copy(m: Step, s: Uses, handle: Handle) -> None:
            m.copy(s.uses[handle], s.uses[s.pick])

        system = System(build(Uses, copy), pick=1, **{"uses[1].length": 4}).do("copy", 1)
        assert system["uses[1].length"] == 4

    def test_copy_and_clear_take_arrays_along(self) -> None:
        def move(m: Step, s: Shelf) -> None:
            m.copy(s.rows[Queue.at(0)], s.rows[Queue.at(1)])
            m.clear(s.rows[Queue.at(1)])

        system = System(build(Shelf, move), **{"rows[1].books[2]": 3, "rows[1].open": 0}).do("move")
        assert (system["rows[0].books[2]"], system["rows[0].open"]) == (3, 0)
        assert (system["rows[1].books[2]"], system["rows[1].open"]) == (1, 1)


class Row(Record):
    books = array(Handle, number(0, 9, init=1))
    open = boolean(True)


class Shelf(Record):
    rows = table(Queue, Row)
