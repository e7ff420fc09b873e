/* Marking states with the watches that hit in each. */

static inline void fire(Out *o, const S *to, int item, int action) { (void)o; (void)to; (void)item; (void)action; }
static inline void broke(Out *o, int item, int obligation) { (void)o; (void)item; (void)obligation; }
static inline void hit(Out *o, int watch) { o->hit_watch[o->hits++] = watch; }
static inline void watch_broke(Out *o, int obligation) { (void)obligation; o->watch_breaks++; }

#define MARK_WORDS ((WATCHES + 63) / 64)

/* For each of n states, MARK_WORDS words with a bit a watch that hits, and whether any breaks an obligation. */
void marks(const S *states, u64 n, u64 *out, unsigned char *breaks) {
  static Out o;
  static unsigned char wanted[WATCHES];
  for (int w = 0; w < WATCHES; w++) wanted[w] = 1;
  for (u64 i = 0; i < n; i++) {
    u64 *row = out + i * MARK_WORDS;
    for (int k = 0; k < MARK_WORDS; k++) row[k] = 0;
    o.hits = o.watch_breaks = 0;
    check(&states[i], &o, wanted);
    for (int k = 0; k < o.hits; k++) row[o.hit_watch[k] >> 6] |= 1ULL << (o.hit_watch[k] & 63);
    breaks[i] = o.watch_breaks > 0;
  }
  (void)step;
  (void)initial;
}
