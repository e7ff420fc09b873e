"""A model as one C source: packed states, their successors, and the conditions looked for in each.

The source needs no header, calls nothing but what it defines and `fire`, `broke`, `hit` and
`watch_broke`, and is valid C++ too. A state wider than 62 bits is an array of 64-bit words.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from fencepost.exec.c_code import CBlock, CStepSink, CWatchSink
from fencepost.exec.c_expr import WORD, CExpr, is_big
from fencepost.exec.emit_block import Sink
from fencepost.exec.layout import Layout
from fencepost.exec.low import STATE, Local
from fencepost.exec.low_code import Block
from fencepost.exec.lower_model import Instance, Watch, instances, lower_actions, lower_watches
from fencepost.exec.share import share
from fencepost.ir.model import Model

_TYPES = """\
typedef unsigned long long u64;
typedef long long i64;
typedef struct { u64 w[WORDS]; } S;
typedef struct Out Out;
#define APART static __attribute__((noinline)) /* in line they double the time to compile for a tenth of speed */
static inline i64 within(i64 v, i64 lo, i64 hi, int obligation, int *bad) {
  if (v >= lo && v <= hi) return v;
  if (*bad < 0) *bad = obligation;
  return lo;
}
static inline i64 bits(const S *s, int at, int width) {
  int k = at >> 6, by = at & 63;
  u64 v = s->w[k] >> by;
  if (by + width > 64) v |= s->w[k + 1] << (64 - by);
  return (i64)(v & ((1ULL << width) - 1));
}
APART S shl(i64 v, int at) {
  S r;
  int k = at >> 6, by = at & 63;
  u64 sign = (u64)(v >> 63);
  for (int j = 0; j < WORDS; j++)
    r.w[j] = j < k ? 0 : j == k ? (u64)v << by : j == k + 1 ? (by ? (u64)(v >> (64 - by)) : sign) : sign;
  return r;
}
APART S plus(S a, S b) {
  S r;
  u64 carry = 0;
  for (int j = 0; j < WORDS; j++) {
    u64 t = a.w[j] + carry;
    carry = t < carry;
    r.w[j] = t + b.w[j];
    carry += r.w[j] < t;
  }
  return r;
}
static inline S both(S a, S b) {
  S r;
  for (int j = 0; j < WORDS; j++) r.w[j] = a.w[j] & b.w[j];
  return r;
}
"""

_EVENTS = """\
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


def c_source(model: Model, watches: Sequence[Watch]) -> CSource:
    """Generate the source of a model and of the conditions to look for.

    Raises:
        NotImplementedError: an integer of the model is too large for this form.
    """
    layout = Layout.of(model)
    words = max(1, -(-layout.bits // WORD))
    every = tuple(instances(model))
    numbers = {action.name: number for number, action in enumerate(model.actions)}
    owner = tuple(numbers[instance.action.name] for instance in every)
    actions, looks = lower_actions(layout, model), lower_watches(layout, watches)
    expr = CExpr(words)
    step = _function("step", share(actions.block), expr, CStepSink(expr, owner), layout)
    check = _function("check", share(looks.block), expr, CWatchSink(), layout)
    head = [
        f"#define WORDS {words}",
        f"#define ACTIONS {max(1, len(model.actions))}",
        f"#define ITEMS {max(1, len(every))}",
        f"#define OBLIGATIONS {max(1, len(actions.obligations))}",
        f"#define WATCHES {max(1, len(watches))}",
        f"#define WATCH_OBLIGATIONS {max(1, len(looks.obligations))}",
        _TYPES,
        _OUT,
        _EVENTS,
        *(f"static const S {name} = {{{{{_words(value, words)}}}}};" for value, name in expr.constants.items()),
        f"static const S initial = {{{{{_words(layout.pack(tuple(v.init for v in model.vars)), words)}}}}};",
    ]
    text = "\n".join((*head, *step, *check, ""))
    return CSource(text, layout, every, actions.obligations, looks.obligations, words)


_OUT = """\
struct Out {
  u64 enabled[ACTIONS], fired[ACTIONS];
  int some, stopped;
  int n, item[ITEMS];
  S to[ITEMS];
  int breaks, break_item[ITEMS], break_obligation[ITEMS];
  int hits, hit_watch[WATCHES];
  int watch_breaks, watch_obligation[WATCHES];
};
"""


def _function(name: str, block: Block, expr: CExpr, sink: Sink, layout: Layout) -> list[str]:
    expr.locals = {}
    body = list(CBlock(expr, sink).lines(block, ""))
    state = Local(STATE, 0, (1 << layout.bits) - 1)
    value = "*given" if is_big(state) else "(i64)given->w[0]"
    return [
        f"static void {name}(const S *given, Out *o) {{",
        f"{_type(state)} {STATE} = {value};",
        "S x;",
        "int bad = -1, e = 0;",
        *(f"{_type(local)} {local.name};" for local in expr.locals.values()),
        f"(void){STATE}; (void)x; (void)bad; (void)e; (void)o;",
        *body,
        "}",
    ]


def _type(local: Local) -> str:
    return "S" if is_big(local) else "i64"


def _words(value: int, words: int) -> str:
    return ", ".join(f"{value >> WORD * k & (1 << WORD) - 1:#x}ULL" for k in range(words))
