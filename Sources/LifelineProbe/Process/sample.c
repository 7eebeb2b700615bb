#include "Process/sample.h"

#include <string.h>
#include <sys/mman.h>

#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"

enum { BUCKET_OBJECTS = 7, BUCKETS = 1 << 14, MORE_BUCKETS = 1 << 18, FULL = 255 };

/// Remembered objects of a page of the heap, in a cache line. A bucket stays in its list.
typedef struct bucket {
  uint64_t objects[BUCKET_OBJECTS];
  struct bucket *next;
} bucket;

uint64_t sample_limit = SAMPLE_ALL;
bool sample_is_remembered;
uint8_t sample_counts[SAMPLE_PLACES];
__thread uint64_t sample_state __attribute__((tls_model("initial-exec")));

static bucket *buckets;  // BUCKETS, then further ones of full lists
static uint32_t used;    // of the latter

/// Few pages hold the buckets of many objects, and those of neighbors.
static inline bucket *first_bucket(uint64_t object) { return &buckets[(object >> 12 ^ object >> 26) & (BUCKETS - 1)]; }

bool sample_prepare(void) {
  enum { SIZE = (BUCKETS + MORE_BUCKETS) * sizeof *buckets };
  sample_limit = SAMPLE_ALL;
  sample_is_remembered = the_options.sample > 1 && !the_options.max_overhead;
  if (!sample_is_remembered) {
    if (the_options.max_overhead) memset(sample_counts, FULL, sizeof sample_counts);
    return true;
  }
  if (!buckets) buckets = memory_pages(SIZE, false);
  else madvise(buckets, SIZE, MADV_DONTNEED);
  memset(sample_counts, 0, sizeof sample_counts);
  used = 0;
  return buckets;
}

bool sample_wanted(void) { return the_options.sample > 1 || the_options.max_overhead; }
uint32_t sample_denominator(void) { return (uint32_t)(SAMPLE_ALL / sample_limit); }
void sample_choose(uint32_t denominator) {
  __atomic_store_n(&sample_limit, SAMPLE_ALL / denominator, __ATOMIC_RELAXED);
}

/// The next bucket of a list, made if there is none.
static bucket *following(bucket *b) {
  bucket *next = __atomic_load_n(&b->next, __ATOMIC_ACQUIRE);
  if (next) return next;
  if (__atomic_load_n(&used, __ATOMIC_RELAXED) >= MORE_BUCKETS) return NULL;
  uint32_t index = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
  if (index >= MORE_BUCKETS) return NULL;
  bucket *made = &buckets[BUCKETS + index];
  // Another thread may have been faster; then this one is lost.
  return __atomic_compare_exchange_n(&b->next, &next, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? made : next;
}

/// Replaces a word that is `old` in an object's list; with `extends`, a new bucket has one if no other has.
static bool replace(uint64_t object, uint64_t old, uint64_t new, bool extends) {
  bucket *b = first_bucket(object);
  while (b) {
    for (uint32_t i = 0; i < BUCKET_OBJECTS; i++) {
      uint64_t here = old;
      if (__atomic_load_n(&b->objects[i], __ATOMIC_RELAXED) == old &&
          __atomic_compare_exchange_n(&b->objects[i], &here, new, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return true;
    }
    b = extends ? following(b) : __atomic_load_n(&b->next, __ATOMIC_ACQUIRE);
  }
  return false;
}

/// A full count stays full: it does not know how many there are.
static void count(uint64_t object, int change) {
  uint8_t *counter = &sample_counts[sample_place(object)], now = __atomic_load_n(counter, __ATOMIC_RELAXED);
  while (now != FULL && !__atomic_compare_exchange_n(counter, &now, (uint8_t)(now + change), false, __ATOMIC_ACQ_REL,
                                                     __ATOMIC_RELAXED)) {}
}

bool sample_remember(uint64_t object) {
  if (!replace(object, 0, object, true)) {
    process_count(LIFELINE_COUNTER_forgottenSamples);
    return false;
  }
  count(object, 1);
  return true;
}

void sample_forget(uint64_t object) {
  if (sample_is_remembered && replace(object, object, 0, false)) count(object, -1);
}

bool sample_remembers(uint64_t object) {
  for (const bucket *b = first_bucket(object); b; b = __atomic_load_n(&b->next, __ATOMIC_ACQUIRE))
    for (uint32_t i = 0; i < BUCKET_OBJECTS; i++)
      if (__atomic_load_n(&b->objects[i], __ATOMIC_RELAXED) == object) return true;
  return false;
}
