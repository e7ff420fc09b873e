"""A model as one C source: packed states, their successors, and the conditions looked for in each.

The source needs no header, calls nothing but what it defines and `fire`, `broke`, `hit` and
`watch_broke`, allocates nothing, does not recurse, and is valid C++ too. A state is an array of 64-bit
words, of which the first is odd in every state, so that it is never zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from fencepost.exec.c_action import action_lines, watch_lines
from fencepost.exec.layout import WORD, Layout
from fencepost.exec.lower_model import Instance, Watch, instances
from fencepost.exec.orbit_c import canonical_lines
from fencepost.exec.orbits import orbits
from fencepost.ir.model import Model

_TYPES = """\
typedef unsigned long long u64;
typedef long long i64;
typedef struct { u64 w[WORDS]; } S;
typedef struct Out Out;
static inline i64 bits(const S *s, i64 at, int width) {
  int k = (int)(at >> 6), by = (int)(at & 63);
  u64 v = s->w[k] >> by;
  if (by + width > 64) v |= s->w[k + 1] << (64 - by);
  return (i64)(v & ((1ULL << width) - 1));
}
static inline void put_in(u64 *word, i64 by, u64 mask, u64 v) { *word = (*word & ~(mask << by)) | v << by; }
static inline int before(const S *a, const S *b) {
  for (int k = WORDS - 1; k > 0; k--)
    if (a->w[k] != b->w[k]) return a->w[k] < b->w[k];
  return a->w[0] < b->w[0];
}
static inline void put(S *s, i64 at, int width, u64 v) {
  int k = (int)(at >> 6), by = (int)(at & 63);
  u64 mask = (1ULL << width) - 1;
  put_in(&s->w[k], by, mask, v);
  if (by + width > 64) s->w[k + 1] = (s->w[k + 1] & ~(mask >> (64 - by))) | v >> (64 - by);
}
"""

_OUT = """\
struct Out {
  u64 enabled[ACTIONS], fired[ACTIONS];
  int some, stopped;
  int n, item[ITEMS];
  S *to;
  int breaks, break_item[ITEMS], break_obligation[ITEMS];
  int hits, hit_watch[WATCHES];
  int watch_breaks, watch_obligation[WATCHES];
};
static inline void fire(Out *o, const S *to, int item, int action);
static inline void broke(Out *o, int item, int obligation);
static inline void hit(Out *o, int watch);
static inline void watch_broke(Out *o, int obligation);
"""


@frozen
class CSource:
    """The text, and what its numbers stand for."""

    text: str
    layout: Layout
    instances: tuple[Instance, ...]
    obligations: tuple[str, ...]
    watch_obligations: tuple[str, ...]
    words: int
    actions: int
    watches: int
    symmetry: tuple[str, ...] = ()
    """The sorts whose indices are renamed: then a state that is found stands for its orbit."""

    @property
    def key_words(self) -> int:
        """Words by which a table knows a state: all, or all but one of few bits, which the place in the table tells."""
        return self.words - 1 if 0 < _last_bits(self.layout, self.words) <= _FEW_BITS else self.words


USED = 1
"""The bit that is set in every state, and is no part of it."""

_FEW_BITS = 8
"""So many bits a table tells by where a state lies in it."""


def _last_bits(layout: Layout, words: int) -> int:
    """Bits in the last word; 0 where it is the only one."""
    return layout.bits - WORD * (words - 1) if words > 1 else 0


def c_source(model: Model, watches: Sequence[Watch], symmetry: bool = False) -> CSource:
    """Generate the source of a model and of the conditions to look for; with symmetry, of what makes orbits of states.

    Raises:
        NotImplementedError: an integer of the model is too large for this form.
    """
    layout = Layout.in_words(model)
    words = -(-max(1, layout.bits) // WORD)
    last = _last_bits(layout, words)
    told = last if last <= _FEW_BITS else 0
    every = tuple(instances(model))
    obligations: dict[str, int] = {}
    watch_obligations: dict[str, int] = {}
    first = {instance.number_of_action: instance.number for instance in reversed(every)}
    functions: list[str] = []
    for number, action in enumerate(model.actions):
        functions += action_lines(action, number, first.get(number, 0), layout, obligations)
    for number, watch in enumerate(watches):
        functions += watch_lines(watch, number, layout, watch_obligations)
    renamed = orbits(model, layout) if symmetry else None
    if renamed is not None:
        functions += canonical_lines(renamed)
    initial = layout.pack(tuple(var.init for var in model.vars)) | USED
    head = [
        f"#define WORDS {words}",
        f"#define TOLD {told}",
        f"#define ACTIONS {max(1, len(model.actions))}",
        f"#define ITEMS {max(1, len(every))}",
        f"#define OBLIGATIONS {max(1, len(obligations))}",
        f"#define WATCHES {max(1, len(watches))}",
        f"#define WATCH_OBLIGATIONS {max(1, len(watch_obligations))}",
        *(["#define SYMMETRIC"] if renamed is not None else []),
        _TYPES,
        _OUT,
        f"static const S initial = {{{{{_words(initial, words)}}}}};",
    ]
    tail = [
        "static void step(const S *given, Out *o) {",
        "(void)given; (void)o;",
        *(f"act{number}(given, o);" for number in range(len(model.actions))),
        "}",
        "static void check(const S *given, Out *o, const unsigned char *wanted) {",
        "(void)given; (void)o; (void)wanted;",
        *(f"if (wanted[{number}]) watch{number}(given, o);" for number in range(len(watches))),
        "}",
    ]
    text = "\n".join((*head, *functions, *tail, ""))
    return CSource(
        text,
        layout,
        every,
        tuple(obligations),
        tuple(watch_obligations),
        words,
        actions=len(model.actions),
        watches=len(watches),
        symmetry=() if renamed is None else renamed.names,
    )


def _words(value: int, words: int) -> str:
    return ", ".join(f"{value >> WORD * k & (1 << WORD) - 1:#x}ULL" for k in range(words))
