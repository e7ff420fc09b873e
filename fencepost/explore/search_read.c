/* Reading what a search found: its counts, its states, the steps between them. */

u64 search_count(const Search *q) { return q->count; }
const S *search_states(const Search *q) { return q->states; }
u64 search_bytes(const Search *q) {
  return q->count * sizeof(S) + (q->table ? table_bytes(q->slots) : 0) + q->index_slots * sizeof *q->index;
}

/* Numbers of states are the least of all threads' that are not negative; the rest are sums. */
static void merge(i64 *to, const i64 *from, int n, i64 *item, const i64 *item_from) {
  for (int i = 0; i < n; i++)
    if (from[i] >= 0 && (to[i] < 0 || from[i] < to[i])) {
      to[i] = from[i];
      if (item) item[i] = item_from[i];
    }
}
static i64 *merged(Counts *sum, const Search *q) {
  memset(sum, 0, sizeof *sum);
  begin_counts(sum);
  for (int i = 0; i < q->threads; i++) {
    const Counts *c = &q->workers[i].counts;
    sum->held_back += c->held_back;
    sum->cut += c->cut;
    sum->transitions += c->transitions;
    for (int a = 0; a < ACTIONS; a++) {
      sum->out.enabled[a] += c->out.enabled[a];
      sum->out.fired[a] += c->out.fired[a];
    }
    merge(sum->hit, c->hit, WATCHES, 0, 0);
    merge(sum->watch_break, c->watch_break, WATCH_OBLIGATIONS, 0, 0);
    merge(sum->break_state, c->break_state, OBLIGATIONS, sum->break_item, c->break_item);
  }
  return 0;
}

/* All counts in a row: held back, cut, transitions; enabled and fired, an action; then state numbers, -1 for none:
   a watch's first hit, a watch's obligation's first break, an obligation's first break; and that one's instance. */
#define TOTALS (3 + 2 * ACTIONS + WATCHES + WATCH_OBLIGATIONS + 2 * OBLIGATIONS)
int search_totals(const Search *q, i64 *out) {
  static Counts sum;
  if (!q) return TOTALS;
  merged(&sum, q);
  *out++ = (i64)sum.held_back;
  *out++ = (i64)sum.cut;
  *out++ = (i64)sum.transitions;
  for (int i = 0; i < ACTIONS; i++) *out++ = (i64)sum.out.enabled[i];
  for (int i = 0; i < ACTIONS; i++) *out++ = (i64)sum.out.fired[i];
  memcpy(out, sum.hit, sizeof sum.hit);
  memcpy(out += WATCHES, sum.watch_break, sizeof sum.watch_break);
  memcpy(out += WATCH_OBLIGATIONS, sum.break_state, sizeof sum.break_state);
  memcpy(out + OBLIGATIONS, sum.break_item, sizeof sum.break_item);
  return TOTALS;
}
/* Go on from counts that were read before. */
void search_restore(Search *q, const i64 *in) {
  Counts *c = &q->workers[0].counts;
  c->held_back = (u64)*in++;
  c->cut = (u64)*in++;
  c->transitions = (u64)*in++;
  for (int i = 0; i < ACTIONS; i++) c->out.enabled[i] = (u64)*in++;
  for (int i = 0; i < ACTIONS; i++) c->out.fired[i] = (u64)*in++;
  memcpy(c->hit, in, sizeof c->hit);
  memcpy(c->watch_break, in += WATCHES, sizeof c->watch_break);
  memcpy(c->break_state, in += WATCH_OBLIGATIONS, sizeof c->break_state);
  memcpy(c->break_item, in + OBLIGATIONS, sizeof c->break_item);
}

/* For steps that are looked at, not counted. */
static Out *scratch(void) {
  static Out out;
  static S to[ITEMS];
  out.to = to;
  out.n = out.breaks = 0;
  return &out;
}

/* The steps of a state, to states as the search knows them. */
static Out *steps_of(const S *s) {
  Out *o = scratch();
  step(s, o);
#ifdef SYMMETRIC
  for (int k = 0; k < o->n; k++) canonical(&o->to[k]);
#endif
  return o;
}

/* Of each target (the number of a state) the first state numbered from..to-1 that has a step to it; the number of
   targets for which none was found. */
int search_parents(const Search *q, u64 from, u64 to, int n, const u64 *targets, i64 *parents) {
  int left = n;
  for (int k = 0; k < n; k++) parents[k] = -1;
  for (u64 i = from; i < to && left; i++) {
    Out *o = steps_of(&q->states[i]);
    for (int j = 0; j < o->n; j++)
      for (int k = 0; k < n; k++)
        if (parents[k] < 0 && same(&o->to[j], &q->states[targets[k]])) {
          parents[k] = (i64)i;
          left--;
        }
  }
  return left;
}

/* Take a state of an orbit to one of the orbit numbered `target`, by the first instance that does; that instance, or
   -1. Without symmetry an orbit is a state. */
int search_follow(const Search *q, S *at, u64 target) {
  Out *o = scratch();
  step(at, o);
  for (int k = 0; k < o->n; k++) {
    S to = o->to[k];
#ifdef SYMMETRIC
    canonical(&to);
#endif
    if (same(&to, &q->states[target])) {
      *at = o->to[k];
      return o->item[k];
    }
  }
  return -1;
}

/* Put the numbers of the states into a table of their own, in place of that of the states: then steps can be asked
   for, and the search cannot go on. 0 if there is no memory. */
int search_index(Search *q) {
  if (q->index) return 1;
  u64 slots = 1 << SMALLEST;
  while (q->count * 10 > slots * 6) slots *= 2;
  if (q->count >= 0xffffffffULL) return 0;
  if (q->table) munmap(q->table, table_bytes(q->slots));
  q->table = 0;
  q->index = (unsigned *)calloc(slots, sizeof *q->index);
  if (!q->index) return 0;
  q->index_slots = slots;
  for (u64 first = 0; first < q->count; first += BLOCK) {
    u64 hashes[BLOCK], end = first + BLOCK < q->count ? first + BLOCK : q->count;
    for (u64 i = first; i < end; i++) {
      hashes[i - first] = hash(&q->states[i]) & (slots - 1);
      __builtin_prefetch(&q->index[hashes[i - first]], 1);
    }
    for (u64 i = first; i < end; i++) {
      u64 at = hashes[i - first];
      while (q->index[at]) at = (at + 1) & (slots - 1);
      q->index[at] = (unsigned)(i + 1);
    }
  }
  return 1;
}

/* The steps of the states numbered *next..to-1: where from, where to, which instance; as many as there is room for,
   never only some of a state's. Steps to states that were not found are left out. `*next` becomes the first state
   not looked at; `room` must be ITEMS at least. */
u64 search_edges(const Search *q, u64 *next, u64 to, u64 room, unsigned *from_out, unsigned *to_out, unsigned *item_out) {
  u64 n = 0, places[ITEMS];
  for (; *next < to && n + ITEMS <= room; ++*next) {
    Out *o = steps_of(&q->states[*next]);
    for (int k = 0; k < o->n; k++) {
      places[k] = hash(&o->to[k]) & (q->index_slots - 1);
      __builtin_prefetch(&q->index[places[k]]);
    }
    for (int k = 0; k < o->n; k++) {
      u64 at = places[k];
      while (q->index[at] && !same(&q->states[q->index[at] - 1], &o->to[k])) at = (at + 1) & (q->index_slots - 1);
      if (!q->index[at]) continue;
      from_out[n] = (unsigned)*next;
      to_out[n] = q->index[at] - 1;
      item_out[n++] = (unsigned)o->item[k];
    }
  }
  return n;
}
