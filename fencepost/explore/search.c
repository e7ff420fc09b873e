/* Breadth-first search over the generated `step` and `check`. States lie in one array in the order in
   which they were found, so a level is a range of it; the table holds their numbers, plus one. */

void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);

#define BATCH 64

typedef struct {
  S *states;
  u64 count, room;
  unsigned *table;
  u64 slots;
  u64 held_back, cut, transitions;
  Out out;
  i64 hit_state[WATCHES];
  i64 watch_break_state[WATCH_OBLIGATIONS];
  i64 break_state[OBLIGATIONS], break_item[OBLIGATIONS];
  S pending[BATCH * ITEMS];
  u64 hashes[BATCH * ITEMS];
} Search;

static inline void fire(Out *o, const S *to, int item, int action) {
  o->fired[action]++;
  o->item[o->n] = item;
  o->to[o->n++] = *to;
}
static inline void broke(Out *o, int item, int obligation) {
  o->break_item[o->breaks] = item;
  o->break_obligation[o->breaks++] = obligation;
}
static inline void hit(Out *o, int watch) { o->hit_watch[o->hits++] = watch; }
static inline void watch_broke(Out *o, int obligation) { o->watch_obligation[o->watch_breaks++] = obligation; }

static inline u64 hash(const S *s) {
  u64 h = 0;
  for (int j = 0; j < WORDS; j++) {
    h ^= s->w[j];
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ULL;
  }
  return h ^ h >> 32;
}
static inline int same(const S *a, const S *b) {
  for (int j = 0; j < WORDS; j++)
    if (a->w[j] != b->w[j]) return 0;
  return 1;
}

static int grow_table(Search *q) {
  u64 slots = q->slots * 2;
  unsigned *table = (unsigned *)calloc(slots, sizeof *table);
  if (!table) return 0;
  for (u64 i = 0; i < q->count; i++) {
    u64 at = hash(&q->states[i]) & (slots - 1);
    while (table[at]) at = (at + 1) & (slots - 1);
    table[at] = (unsigned)(i + 1);
  }
  free(q->table);
  q->table = table;
  q->slots = slots;
  return 1;
}

/* 1 if it is new, 0 if it was there, -1 if there is no memory. */
static int insert(Search *q, const S *s, u64 h) {
  if (q->count * 5 >= q->slots * 3 && !grow_table(q)) return -1;
  u64 at = h & (q->slots - 1);
  for (; q->table[at]; at = (at + 1) & (q->slots - 1))
    if (same(&q->states[q->table[at] - 1], s)) return 0;
  if (q->count == q->room) {
    if (q->count >= 0xfffffff0ULL) return -1;
    S *states = (S *)realloc(q->states, q->room * 2 * sizeof *states);
    if (!states) return -1;
    q->states = states;
    q->room *= 2;
  }
  q->states[q->count++] = *s;
  q->table[at] = (unsigned)q->count;
  return 1;
}

void search_close(Search *q) {
  if (!q) return;
  free(q->states);
  free(q->table);
  free(q);
}

Search *search_open(void) {
  Search *q = (Search *)calloc(1, sizeof *q);
  if (!q) return 0;
  q->room = 1024;
  q->slots = 4096;
  q->states = (S *)malloc(q->room * sizeof *q->states);
  q->table = (unsigned *)calloc(q->slots, sizeof *q->table);
  if (!q->states || !q->table) {
    search_close(q);
    return 0;
  }
  for (int i = 0; i < WATCHES; i++) q->hit_state[i] = -1;
  for (int i = 0; i < WATCH_OBLIGATIONS; i++) q->watch_break_state[i] = -1;
  for (int i = 0; i < OBLIGATIONS; i++) q->break_state[i] = -1;
  insert(q, &initial, hash(&initial));
  return q;
}

static void note_breaks(Search *q, u64 state) {
  for (int k = 0; k < q->out.breaks; k++) {
    int obligation = q->out.break_obligation[k];
    if (q->break_state[obligation] < 0) {
      q->break_state[obligation] = (i64)state;
      q->break_item[obligation] = q->out.break_item[k];
    }
  }
}

/* Expand the states numbered from..to-1; 0 if memory ran out. */
int search_expand(Search *q, u64 from, u64 to) {
  Out *o = &q->out;
  for (u64 first = from; first < to; first += BATCH) {
    u64 end = first + BATCH < to ? first + BATCH : to;
    int n = 0;
    for (u64 i = first; i < end; i++) {
      o->n = o->breaks = o->some = o->stopped = 0;
      step(&q->states[i], o);
      if (o->stopped) {
        q->held_back++;
        if (!o->some) q->cut++;
      }
      if (o->breaks) note_breaks(q, i);
      for (int k = 0; k < o->n; k++) {
        u64 h = hash(&o->to[k]);
        __builtin_prefetch(&q->table[h & (q->slots - 1)]);
        q->pending[n] = o->to[k];
        q->hashes[n++] = h;
      }
    }
    q->transitions += (u64)n;
    for (int k = 0; k < n; k++)
      if (insert(q, &q->pending[k], q->hashes[k]) < 0) return 0;
  }
  return 1;
}

/* Look for watched conditions in the states numbered from..to-1. */
void search_look(Search *q, u64 from, u64 to) {
  Out *o = &q->out;
  for (u64 i = from; i < to; i++) {
    o->hits = o->watch_breaks = 0;
    check(&q->states[i], o);
    for (int k = 0; k < o->hits; k++)
      if (q->hit_state[o->hit_watch[k]] < 0) q->hit_state[o->hit_watch[k]] = (i64)i;
    for (int k = 0; k < o->watch_breaks; k++)
      if (q->watch_break_state[o->watch_obligation[k]] < 0) q->watch_break_state[o->watch_obligation[k]] = (i64)i;
  }
}

/* The first state numbered from..to-1 with a step to `target`, and by which item; -1 if there is none. */
i64 search_parent(Search *q, u64 from, u64 to, u64 target, int *item) {
  static Out scratch;
  for (u64 i = from; i < to; i++) {
    scratch.n = scratch.breaks = 0;
    step(&q->states[i], &scratch);
    for (int k = 0; k < scratch.n; k++)
      if (same(&scratch.to[k], &q->states[target])) {
        *item = scratch.item[k];
        return (i64)i;
      }
  }
  return -1;
}

u64 search_count(const Search *q) { return q->count; }
u64 search_held_back(const Search *q) { return q->held_back; }
u64 search_cut(const Search *q) { return q->cut; }
u64 search_transitions(const Search *q) { return q->transitions; }
u64 search_bytes(const Search *q) { return q->room * sizeof *q->states + q->slots * sizeof *q->table + sizeof *q; }
u64 search_enabled(const Search *q, int action) { return q->out.enabled[action]; }
u64 search_fired(const Search *q, int action) { return q->out.fired[action]; }
i64 search_hit(const Search *q, int watch) { return q->hit_state[watch]; }
i64 search_watch_break(const Search *q, int obligation) { return q->watch_break_state[obligation]; }
i64 search_break(const Search *q, int obligation, int *item) {
  *item = (int)q->break_item[obligation];
  return q->break_state[obligation];
}
