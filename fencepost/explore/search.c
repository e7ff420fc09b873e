/* Breadth-first search.

   A round takes some blocks of states of the level, in three phases, each shared among the threads:
   expand them; put what came out into the table; append what is new to the array. The table has
   parts, and one thread at a time works on a part, in the order of the blocks: so what is found
   first, and hence the order of all states, does not depend on the threads, and nothing needs a lock. */

/* The three phases of a round */

#ifdef SYMMETRIC
/* Put the state that stands for its orbit in place of each, but for those that the same thread came to just before. */
static unsigned renamed(S *latest, Block *b, unsigned n) {
  unsigned left = 0;
  for (unsigned k = 0; k < n; k++) {
    S state = b->to[k], *at = &latest[hash(&state) >> 20 & (LATEST - 1)];
    if (same(at, &state)) continue;
    *at = state;
    canonical(&state);
    b->to[left++] = state;
  }
  return left;
}
#endif

/* Leave out states that the same thread came to just before: about half of what was found already, and the cheap half.
   What is left is hashed; the number of it. */
static unsigned without_latest(S *latest, Block *b, unsigned n) {
  unsigned left = 0;
  for (unsigned k = 0; k < n; k++) {
    S state = b->to[k], *at;
    u64 h = hash(&state);
    at = &latest[h >> 20 & (LATEST - 1)];
    int fresh = !same(at, &state); /* used as a number: as a branch it would be guessed wrong half of the time */
    *at = state;
    b->to[left] = state;
    b->hash[left] = h;
    left += (unsigned)fresh;
  }
  return left;
}

static void expand_block(const Search *q, Worker *me, Block *b, u64 first, u64 end) {
  Counts *c = &me->counts;
  Out *o = &c->out;
  unsigned n = 0, sizes[PARTS] = {0};
  for (u64 i = first; i < end; i++) {
    o->to = b->to + n;
    o->n = o->breaks = o->some = o->stopped = 0;
    step(&q->states[i], o);
    if (o->stopped) {
      c->held_back++;
      if (!o->some) c->cut++;
    }
    for (int k = 0; k < o->breaks; k++)
      if (c->break_state[o->break_obligation[k]] < 0) {
        c->break_state[o->break_obligation[k]] = (i64)i;
        c->break_item[o->break_obligation[k]] = o->break_item[k];
      }
    n += (unsigned)o->n;
  }
  c->transitions += n;
#ifdef SYMMETRIC
  n = renamed(me->as_reached, b, n);
#endif
  b->n = n = without_latest(me->latest, b, n);
  for (unsigned k = 0; k < n; k++) sizes[part_of(b->hash[k])]++;
  unsigned at[PARTS], sum = 0;
  for (int part = 0; part < PARTS; part++) {
    b->start[part] = at[part] = sum;
    sum += sizes[part];
  }
  b->start[PARTS] = sum;
  if (q->active == 1) return;
  for (unsigned k = 0; k < n; k++) b->order[at[part_of(b->hash[k])]++] = k;
}

static void expand(Search *q, Worker *me) {
  for (u64 b; (b = take(q, 1)) < (u64)q->n_blocks;) {
    u64 first = q->from + b * BLOCK, end = first + BLOCK < q->to ? first + BLOCK : q->to;
    expand_block(q, me, &q->blocks[b], first, end);
  }
}

static void put_in_table(Search *q, Worker *me) {
  (void)me;
  for (u64 part; (part = take(q, 1)) < PARTS;)
    for (int i = 0; i < q->n_blocks; i++) {
      Block *b = &q->blocks[i];
      const unsigned *order = b->order + b->start[part];
      unsigned n = b->start[part + 1] - b->start[part], added = 0;
      for (unsigned j = 0; j < n; j++) {
        if (j + AHEAD < n) __builtin_prefetch(slot_of(q, b->hash[order[j + AHEAD]]), 1);
        unsigned k = order[j];
        int fresh = insert(q, &b->to[k], b->hash[k]);
        b->fresh[k] = (unsigned char)fresh;
        added += (unsigned)fresh;
      }
      b->added[part] = added;
      q->held[part] += added;
    }
}

static void append(Search *q, Worker *me) {
  (void)me;
  for (u64 i; (i = take(q, 1)) < (u64)q->n_blocks;) {
    Block *b = &q->blocks[i];
    S *at = q->states + b->base;
    for (unsigned k = 0; k < b->n; k++)
      if (b->fresh[k]) *at++ = b->to[k];
  }
}

/* The same as the last two, by one thread. */
static void put_and_append(Search *q) {
  for (int i = 0; i < q->n_blocks; i++) {
    Block *b = &q->blocks[i];
    for (unsigned k = 0; k < b->n; k++) {
      if (k + AHEAD < b->n) __builtin_prefetch(slot_of(q, b->hash[k + AHEAD]), 1);
      if (insert(q, &b->to[k], b->hash[k])) {
        q->states[q->count++] = b->to[k];
        q->held[part_of(b->hash[k])]++;
      }
    }
  }
}

/* Expand the states numbered from..to-1; what comes of it is as if none but the last round had been begun where
   memory ran out. 1 if it went well. */
int search_expand(Search *q, u64 from, u64 to) {
  int together = to - from > FEW;
  for (; from < to; from = q->to) {
    q->from = from;
    q->to = from + q->round * BLOCK < to ? from + q->round * BLOCK : to;
    q->n_blocks = (int)((q->to - from + BLOCK - 1) / BLOCK);
    run_phase(q, expand, together);
    int alone = q->active == 1; /* a refill of the table is a phase of its own, with other threads */
    if (!make_room(q)) return 0;
    if (alone) {
      put_and_append(q);
      if (q->overfull) return 0;
      continue;
    }
    run_phase(q, put_in_table, together);
    if (q->overfull) return 0;
    for (int i = 0; i < q->n_blocks; i++) {
      Block *b = &q->blocks[i];
      b->base = q->count;
      for (int part = 0; part < PARTS; part++) q->count += b->added[part];
    }
    run_phase(q, append, together);
  }
  return 1;
}

/* Looking for watched conditions */

static void look(Search *q, Worker *me) {
  Counts *c = &me->counts;
  Out *o = &c->out;
  for (u64 first; (first = q->from + take(q, BLOCK)) < q->to;) {
    u64 end = first + BLOCK < q->to ? first + BLOCK : q->to;
    for (u64 i = first; i < end; i++) {
      o->hits = o->watch_breaks = 0;
      check(&q->states[i], o, q->wanted);
      for (int k = 0; k < o->hits; k++)
        if (c->hit[o->hit_watch[k]] < 0) c->hit[o->hit_watch[k]] = (i64)i;
      for (int k = 0; k < o->watch_breaks; k++)
        if (c->watch_break[o->watch_obligation[k]] < 0) c->watch_break[o->watch_obligation[k]] = (i64)i;
    }
  }
}

/* Look at the states numbered from..to-1, for the conditions that `wanted` says. */
void search_look(Search *q, u64 from, u64 to, const unsigned char *wanted) {
  memcpy(q->wanted, wanted, sizeof q->wanted);
  q->from = from;
  q->to = to;
  run_phase(q, look, to - from > FEW);
}

/* Beginning and end */

void search_close(Search *q) {
  if (!q) return;
  if (q->started) {
    q->closing = 1;
    turn_on(q);
    for (int i = 1; i <= q->started; i++) pthread_join(q->workers[i].thread, 0);
  }
  if (q->states) munmap(q->states, q->room * sizeof(S));
  if (q->table) munmap(q->table, table_bytes(q->slots));
  free(q->index);
  for (u64 i = 0; q->blocks && i < q->round; i++)
    if (q->blocks[i].to) munmap(q->blocks[i].to, (u64)BLOCK * ITEMS * (sizeof(S) + 16));
  free(q->blocks);
  free(q->workers);
  pthread_mutex_destroy(&q->lock);
  pthread_cond_destroy(&q->wake);
  free(q);
}

static void begin_counts(Counts *c) {
  for (int i = 0; i < WATCHES; i++) c->hit[i] = -1;
  for (int i = 0; i < WATCH_OBLIGATIONS; i++) c->watch_break[i] = -1;
  for (int i = 0; i < OBLIGATIONS; i++) c->break_state[i] = -1;
}

static int make_blocks(Search *q) {
  const u64 items = (u64)BLOCK * ITEMS, bytes = items * (sizeof(S) + 16);
  q->round = ROUND;
  while (q->round > 2 && q->round * bytes > MOST_IN_ROUND) q->round /= 2;
  q->blocks = (Block *)calloc(q->round, sizeof *q->blocks);
  for (u64 i = 0; q->blocks && i < q->round; i++) {
    char *at = (char *)mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return 0;
    q->blocks[i].to = (S *)at;
    q->blocks[i].hash = (u64 *)(at + items * sizeof(S));
    q->blocks[i].order = (unsigned *)(at + items * (sizeof(S) + 8));
    q->blocks[i].fresh = (unsigned char *)(at + items * (sizeof(S) + 12));
  }
  return q->blocks != 0;
}

/* A search at the initial state, or at `count` states found before; 0 if there is no memory. */
Search *search_open(int threads, u64 limit, const S *states, u64 count) {
  Search *q = (Search *)calloc(1, sizeof *q);
  if (!q) return 0;
  pthread_mutex_init(&q->lock, 0);
  pthread_cond_init(&q->wake, 0);
  q->threads = threads;
  q->limit = limit;
  q->room = 1 << 12;
  q->states = (S *)map_pages(q->room * sizeof(S));
  q->workers = (Worker *)calloc((size_t)threads, sizeof *q->workers);
  u64 slots = 1ULL << (SMALLEST > REGIONS + ROOMY ? SMALLEST : REGIONS + ROOMY);
  while (count * 100 > slots * FULL) slots *= 2;
  if (q->states && q->workers && make_blocks(q) && more_room(q, count + 1)) {
    for (int i = 0; i < threads; i++) {
      q->workers[i].q = q;
      q->workers[i].number = i;
      begin_counts(&q->workers[i].counts);
    }
    q->count = count ? count : 1;
    memcpy(q->states, count ? states : &initial, q->count * sizeof(S));
#ifdef SYMMETRIC
    if (!count) canonical(q->states);
#endif
    if (make_table(q, slots)) return q;
  }
  search_close(q);
  return 0;
}
