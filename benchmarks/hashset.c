/* The limit that memory sets: a bare hash set of random keys, with open addressing, prefetch and huge pages.

   hashset LOG WORDS PERCENT THREADS: inserts keys of so many words into 2^LOG slots until so many percent are
   taken, five times over in all (once new, four times there already, as a search does), and prints insertions a
   second of wall time and of processor time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

typedef unsigned long long u64;
enum { AHEAD = 24, TIMES = 5 };
static u64 *table, mask, keys;
static int words, threads;

static inline u64 mix(u64 x) {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93ULL;
  return x ^ x >> 32;
}
static inline u64 key(u64 i) { return mix(i) | 1; } /* never 0: a slot of 0 is free */

static void insert(u64 k) {
  for (u64 at = mix(k) & mask;; at = (at + 1) & mask) {
    u64 *slot = table + at * (u64)words, found = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (found == k) return;
    if (found) continue;
    if (__atomic_compare_exchange_n(slot, &found, k, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      for (int j = 1; j < words; j++) slot[j] = k;
      return;
    }
    if (found == k) return;
  }
}

static void *work(void *argument) {
  u64 share = keys / (u64)threads, first = share * (u64)(long)argument;
  for (int time = 0; time < TIMES; time++)
    for (u64 i = first; i < first + share; i++) {
      __builtin_prefetch(table + (mix(key(i + AHEAD)) & mask) * (u64)words, 1);
      insert(key(i));
    }
  return 0;
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **given) {
  if (count != 5) return 2;
  u64 slots = 1ULL << atoi(given[1]), bytes;
  words = atoi(given[2]);
  keys = slots / 100 * (u64)atoi(given[3]);
  threads = atoi(given[4]);
  mask = slots - 1;
  bytes = slots * (u64)words * sizeof *table;
  table = (u64 *)mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (table == MAP_FAILED) return 1;
#ifdef MADV_HUGEPAGE
  madvise(table, bytes, MADV_HUGEPAGE);
#endif
  for (u64 at = 0; at < bytes / sizeof *table; at += 512) table[at] = 0; /* there before the clock starts */
  pthread_t others[64];
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (long i = 1; i < threads; i++) pthread_create(&others[i], 0, work, (void *)i);
  work(0);
  for (int i = 1; i < threads; i++) pthread_join(others[i], 0);
  wall = now(CLOCK_MONOTONIC) - wall;
  cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  double done = (double)(keys / (u64)threads * (u64)threads) * TIMES;
  printf("%.0f %.0f\n", done / wall, done / cpu);
  return 0;
}
