"""The low form: what a model is lowered to before it is written out in a target language.

No parameters, loops, quantifiers, sorts or epochs are left: only integers, the packed state, and
locals that are assigned once on each way through the code. Both the lowering and the sharing of
common parts work on this form; only `emit_*` knows a target's syntax.

Every expression is an integer within `lo..hi` (Booleans are 0 or 1). `fails` says whether its
evaluation may break an obligation; an expression that does not fail is pure and may be moved.
Build expressions with `low_build`, which folds; nodes made here directly are taken as they are.
"""

from __future__ import annotations

import enum
from functools import cached_property

from attrs import frozen

STATE = "s"
"""The local that holds the packed state before the step."""


@frozen(cache_hash=True)
class Lit:
    """A constant."""

    value: int

    @property
    def lo(self) -> int:
        return self.value

    @property
    def hi(self) -> int:
        return self.value

    @property
    def fails(self) -> bool:
        return False


@frozen(cache_hash=True)
class Local:
    """A named value: the state, a state part-way through a step, or an intermediate result."""

    name: str
    lo: int
    hi: int

    @property
    def fails(self) -> bool:
        return False


@frozen(cache_hash=True)
class Field:
    """The bits of one element at a known place of a packed state, `0..hi`."""

    state: Local
    offset: int
    width: int
    hi: int

    @property
    def lo(self) -> int:
        return 0

    @property
    def fails(self) -> bool:
        return False


@frozen(cache_hash=True)
class Dynamic:
    """The bits of one element, from bit `at`, which is computed."""

    state: Local
    at: Low
    width: int
    hi: int

    @property
    def lo(self) -> int:
        return 0

    @cached_property
    def fails(self) -> bool:
        return self.at.fails


@frozen(cache_hash=True)
class Linear:
    """`constant + sum(factor * term)`, terms evaluated from left to right."""

    terms: tuple[tuple[int, Low], ...]
    constant: int

    @cached_property
    def lo(self) -> int:
        return self.constant + sum(f * (t.lo if f > 0 else t.hi) for f, t in self.terms)

    @cached_property
    def hi(self) -> int:
        return self.constant + sum(f * (t.hi if f > 0 else t.lo) for f, t in self.terms)

    @cached_property
    def fails(self) -> bool:
        return any(term.fails for _, term in self.terms)


@frozen(cache_hash=True)
class Shifted:
    """`value << by`, where `value` may be negative, and `by` is not, whatever its bounds say."""

    value: Low
    by: Low

    @cached_property
    def lo(self) -> int:
        return min(self.value.lo << max(self.by.lo, 0), self.value.lo << self.by.hi)

    @cached_property
    def hi(self) -> int:
        return max(self.value.hi << max(self.by.lo, 0), self.value.hi << self.by.hi)

    @cached_property
    def fails(self) -> bool:
        return self.value.fails or self.by.fails


@frozen(cache_hash=True)
class Patch:
    """A packed state with the bits of `mask` cleared and then `add` added."""

    state: Local
    mask: int
    add: Low

    @property
    def lo(self) -> int:
        return 0

    @property
    def hi(self) -> int:
        return self.state.hi

    @property
    def fails(self) -> bool:
        return self.add.fails


class Relation(enum.Enum):
    """Comparisons."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class _Truth:
    """Bounds of a node that is 0 or 1."""

    __slots__ = ()

    @property
    def lo(self) -> int:
        return 0

    @property
    def hi(self) -> int:
        return 1


@frozen(cache_hash=True)
class Compare(_Truth):
    relation: Relation
    left: Low
    right: Low

    @cached_property
    def fails(self) -> bool:
        return self.left.fails or self.right.fails


@frozen(cache_hash=True)
class Not(_Truth):
    operand: Low

    @property
    def fails(self) -> bool:
        return self.operand.fails


@frozen(cache_hash=True)
class All(_Truth):
    """Conjunction, from left to right up to the first that is false; with `strict`, evaluates every operand."""

    operands: tuple[Low, ...]
    strict: bool = False

    @cached_property
    def fails(self) -> bool:
        return any(operand.fails for operand in self.operands)


@frozen(cache_hash=True)
class Any(_Truth):
    """Disjunction, from left to right up to the first that is true; with `strict`, evaluates every operand."""

    operands: tuple[Low, ...]
    strict: bool = False

    @cached_property
    def fails(self) -> bool:
        return any(operand.fails for operand in self.operands)


@frozen(cache_hash=True)
class Choose:
    """`then` if `cond`, else `orelse`; only the chosen one is evaluated."""

    cond: Low
    then: Low
    orelse: Low

    @cached_property
    def lo(self) -> int:
        return min(self.then.lo, self.orelse.lo)

    @cached_property
    def hi(self) -> int:
        return max(self.then.hi, self.orelse.hi)

    @cached_property
    def fails(self) -> bool:
        return self.cond.fails or self.then.fails or self.orelse.fails


@frozen(cache_hash=True)
class Bit(_Truth):
    """Whether bit `item` of `of` is set; `of` is evaluated first."""

    of: Low
    item: Low

    @cached_property
    def fails(self) -> bool:
        return self.of.fails or self.item.fails


@frozen(cache_hash=True)
class WithBit:
    """`of` with bit `item` set (`present`) or cleared; `of` is evaluated first."""

    of: Low
    item: Low
    present: bool
    hi: int

    @property
    def lo(self) -> int:
        return 0

    @cached_property
    def fails(self) -> bool:
        return self.of.fails or self.item.fails


@frozen(cache_hash=True)
class Within:
    """The operand, which breaks `obligation` unless it is in `least..most`."""

    operand: Low
    least: int
    most: int
    obligation: int

    @property
    def lo(self) -> int:
        return max(self.least, self.operand.lo)

    @property
    def hi(self) -> int:
        return min(self.most, self.operand.hi)

    @property
    def fails(self) -> bool:
        return True


@frozen(cache_hash=True)
class Bind:
    """`body`, in which `local` is `value`, evaluated first."""

    local: Local
    value: Low
    body: Low

    @property
    def lo(self) -> int:
        return self.body.lo

    @property
    def hi(self) -> int:
        return self.body.hi

    @cached_property
    def fails(self) -> bool:
        return self.value.fails or self.body.fails


@frozen(cache_hash=True)
class Fail:
    """Breaks `obligation`. Its bounds are those of what it stands in for."""

    obligation: int
    lo: int
    hi: int

    @property
    def fails(self) -> bool:
        return True


Low = (
    Lit
    | Local
    | Field
    | Dynamic
    | Linear
    | Shifted
    | Patch
    | Compare
    | Not
    | All
    | Any
    | Choose
    | Bit
    | WithBit
    | Within
    | Bind
    | Fail
)
