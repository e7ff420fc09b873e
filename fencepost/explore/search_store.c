/* What a search holds: its states, the table that finds them, and its threads. After the generated `step` and
   `check`, before the search itself.

   All states lie in one array in the order in which they were found, so a level is a range of it. The
   table holds the states themselves, for no other way touches memory once a look-up only. It has
   regions, each of which a hash chooses by its highest bits. Where the last word of a state has but a
   few bits (TOLD), they are added to those, without carry: then the region and the other words tell
   the last one, and only the others are kept. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for mremap: without it the array of states is copied each time it grows */
#endif
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Smaller ones are for tests, which are to come to every edge with few states. */
#ifndef BLOCK
#define BLOCK 256   /* states that are expanded by one thread in one go */
#define ROUND 64    /* blocks in a round */
#define SMALLEST 16 /* binary logarithm of the least number of slots */
#define FEW 2048    /* states of a call that are not worth waking other threads for */
#endif
#if TOLD
#define KEY (WORDS - 1)
#define REGIONS (TOLD > 3 ? TOLD : 3) /* binary logarithm of their number */
#ifndef ROOMY
#define ROOMY 12 /* and of the least size of one: so large that none is much fuller than others */
#endif
#else
#define KEY WORDS
#define REGIONS 3
#define ROOMY 0
#endif
#define AHEAD 24    /* look-ups between asking the memory for a slot and looking at it */
#define FULL 80     /* percent of the slots that are taken before there are twice as many */
#define FULLEST 87  /* and where there is no memory for more */
#define PARTS 8     /* parts of the table, each of whole regions */
#define LATEST 4096 /* states that a thread remembers to have come to just before */
#define MOST_IN_ROUND (1ULL << 28) /* bytes that the blocks of a round take, if every action can be taken everywhere */
#define SPINS 4000  /* turns that an idle thread waits before it sleeps */

typedef struct { u64 w[KEY]; } Key;

typedef struct {
  S *to;
  u64 *hash;
  unsigned *order;
  unsigned char *fresh;
  unsigned n, start[PARTS + 1], added[PARTS];
  u64 base;
} Block;

typedef struct {
  Out out;
  u64 held_back, cut, transitions;
  i64 hit[WATCHES], watch_break[WATCH_OBLIGATIONS], break_state[OBLIGATIONS], break_item[OBLIGATIONS];
} Counts;

typedef struct Search Search;
typedef struct {
  Search *q;
  int number;
  pthread_t thread;
  Counts counts;
  S latest[LATEST];
#ifdef SYMMETRIC
  S as_reached[LATEST]; /* before they were renamed */
#endif
} Worker;

struct Search {
  S *states;
  u64 count, room;
  Key *table;
  u64 slots, region; /* in all, and in one region */
  int overfull;      /* whether a region was too full to take a state, which ends the search */
  int active;        /* threads in the phase at hand */
  u64 held[PARTS]; /* states in each part */
  unsigned *index; /* slots of state numbers, plus one, once `search_index` has made them */
  u64 index_slots;
  u64 limit;
  int threads, started;
  Worker *workers;
  Block *blocks;
  u64 round; /* how many there are */
  unsigned char wanted[WATCHES];
  u64 from, to; /* the states of the round, or of what a phase goes over */
  int n_blocks;
  void (*phase)(Search *, Worker *);
  u64 next;
  unsigned turn, done;
  int closing;
  pthread_mutex_t lock;
  pthread_cond_t wake;
};

static inline void fire(Out *o, const S *to, int item, int action) {
  o->fired[action]++;
  o->item[o->n] = item;
  o->to[o->n++] = *to;
}
static inline void broke(Out *o, int item, int obligation) {
  if (o->breaks == ITEMS) return;
  o->break_item[o->breaks] = item;
  o->break_obligation[o->breaks++] = obligation;
}
static inline void hit(Out *o, int watch) { o->hit_watch[o->hits++] = watch; }
static inline void watch_broke(Out *o, int obligation) { o->watch_obligation[o->watch_breaks++] = obligation; }

static inline u64 hash(const S *s) {
  u64 h = 0;
  for (int j = 0; j < KEY; j++) {
    h = (h ^ s->w[j]) * 0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
  }
  h *= 0xd6e8feb86659fd93ULL;
  h ^= h >> 32;
#if TOLD
  h ^= s->w[KEY] << (64 - REGIONS);
#endif
  return h;
}
static inline int same(const S *a, const S *b) {
  u64 d = 0;
  for (int j = 0; j < WORDS; j++) d |= a->w[j] ^ b->w[j];
  return !d;
}

/* Memory that is there once it is written to; in huge pages where the system likes. */
static void *map_pages(u64 bytes) {
  void *at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return 0;
#ifdef MADV_HUGEPAGE
  if (bytes >= 1u << 22) madvise(at, bytes, MADV_HUGEPAGE);
#endif
  return at;
}

/* Threads */

static inline u64 take(Search *q, u64 amount) { return __atomic_fetch_add(&q->next, amount, __ATOMIC_RELAXED); }

static void *work(void *argument) {
  Worker *me = (Worker *)argument;
  Search *q = me->q;
  unsigned seen = 0;
  for (;;) {
    int spins = 0;
    while (__atomic_load_n(&q->turn, __ATOMIC_ACQUIRE) == seen) {
      if (++spins < SPINS) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
        continue;
      }
      pthread_mutex_lock(&q->lock);
      while (__atomic_load_n(&q->turn, __ATOMIC_ACQUIRE) == seen) pthread_cond_wait(&q->wake, &q->lock);
      pthread_mutex_unlock(&q->lock);
    }
    seen++;
    if (q->closing) return 0;
    q->phase(q, me);
    __atomic_fetch_add(&q->done, 1, __ATOMIC_RELEASE);
  }
}

static void turn_on(Search *q) {
  pthread_mutex_lock(&q->lock);
  __atomic_fetch_add(&q->turn, 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&q->wake);
  pthread_mutex_unlock(&q->lock);
}

/* The threads are begun with the first work that is worth them; if they cannot be, the search goes on with fewer. */
static void begin_threads(Search *q) {
  for (; q->started < q->threads - 1; q->started++)
    if (pthread_create(&q->workers[q->started + 1].thread, 0, work, &q->workers[q->started + 1])) {
      q->threads = q->started + 1;
      return;
    }
}

static void run_phase(Search *q, void (*phase)(Search *, Worker *), int together) {
  q->next = 0;
  if (together && !q->started) begin_threads(q);
  q->active = together ? q->threads : 1;
  if (q->active == 1) {
    phase(q, &q->workers[0]);
    return;
  }
  q->phase = phase;
  __atomic_store_n(&q->done, 0, __ATOMIC_RELEASE);
  turn_on(q);
  phase(q, &q->workers[0]);
  for (int spins = 0; __atomic_load_n(&q->done, __ATOMIC_ACQUIRE) != (unsigned)q->started; spins++)
    if (spins > SPINS) sched_yield();
}

/* The table */

static inline int part_of(u64 h) { return (int)(h >> 61); }
static inline Key *slot_of(const Search *q, u64 h) {
  return &q->table[(h >> (64 - REGIONS)) * q->region + (h & (q->region - 1))];
}

/* 1 if the state is new, and now in the table. */
static inline int insert(Search *q, const S *s, u64 h) {
  Key *base = q->table + (h >> (64 - REGIONS)) * q->region;
  int rounds = 0;
  for (u64 at = h & (q->region - 1);; at = (at + 1) & (q->region - 1)) {
    Key *slot = &base[at];
    u64 other = 0;
    for (int j = 0; j < KEY; j++) other |= slot->w[j] ^ s->w[j];
    if (!other) return 0;
    if (!slot->w[0]) {
      for (int j = 0; j < KEY; j++) slot->w[j] = s->w[j];
      return 1;
    }
    if (at == q->region - 1 && ++rounds == 2) {
      q->overfull = 1;
      return 0;
    }
  }
}

/* Each thread puts in what belongs to its parts. */
static void refill(Search *q, Worker *me) {
  u64 hashes[BLOCK], numbers[BLOCK], held[PARTS] = {0};
  int threads = q->active;
  for (u64 first = 0; first < q->count; first += BLOCK) {
    u64 end = first + BLOCK < q->count ? first + BLOCK : q->count, n = 0;
    for (u64 i = first; i < end; i++) {
      u64 h = hash(&q->states[i]);
      hashes[n] = h;
      numbers[n] = i;
      if (part_of(h) % threads == me->number) {
        __builtin_prefetch(slot_of(q, h), 1);
        n++;
      }
    }
    for (u64 k = 0; k < n; k++) held[part_of(hashes[k])] += (u64)insert(q, &q->states[numbers[k]], hashes[k]);
  }
  for (int part = me->number; part < PARTS; part += threads) q->held[part] = held[part];
}

static u64 table_bytes(u64 slots) { return slots * sizeof(Key); }

/* A table of so many slots with every state in it; 0 if there is no memory. */
static int make_table(Search *q, u64 slots) {
  Key *table = (Key *)map_pages(table_bytes(slots));
  if (!table) return 0;
  if (q->table) munmap(q->table, table_bytes(q->slots));
  q->table = table;
  q->slots = slots;
  q->region = slots >> REGIONS;
  memset(q->held, 0, sizeof q->held);
  run_phase(q, refill, q->count > FEW);
  return 1;
}

/* Room in the array for `more` states; 0 if there is no memory. */
static int more_room(Search *q, u64 more) {
  if (q->count + more <= q->room) return 1;
  u64 room = q->room * 2;
  while (room < q->count + more) room *= 2;
  S *states = 0;
#ifdef MREMAP_MAYMOVE
  states = (S *)mremap(q->states, q->room * sizeof(S), room * sizeof(S), MREMAP_MAYMOVE);
  if (states == MAP_FAILED) return 0;
#ifdef MADV_HUGEPAGE
  if (room * sizeof(S) >= 1u << 22) madvise(states, room * sizeof(S), MADV_HUGEPAGE);
#endif
#else
  states = (S *)map_pages(room * sizeof(S));
  if (!states) return 0;
  memcpy(states, q->states, q->count * sizeof(S));
  munmap(q->states, q->room * sizeof(S));
#endif
  q->states = states;
  q->room = room;
  return 1;
}

/* Room for what the blocks hold, in the table and in the array, within the limit; 0 if there is not. */
static int make_room(Search *q) {
  u64 most = 0, total = 0;
  for (int part = 0; part < PARTS; part++) {
    u64 here = 0;
    for (int b = 0; b < q->n_blocks; b++) here += q->blocks[b].start[part + 1] - q->blocks[b].start[part];
    total += here;
    if (q->held[part] + here > most) most = q->held[part] + here;
  }
  u64 slots = q->slots, states = (q->count + total) * sizeof(S);
  while (most * PARTS * 100 > slots * FULL) slots *= 2;
  if (states + table_bytes(slots) > q->limit) {
    slots = q->slots; /* fuller than is good for speed, rather than none */
    if (states + table_bytes(slots) > q->limit || most * PARTS * 100 > slots * FULLEST) return 0;
  }
  if (!more_room(q, total)) return 0;
  return slots == q->slots || make_table(q, slots);
}
