// A sample of the objects: each hook decides by the address, in a few instructions, before it looks at anything. A
// sampled object is passed on to the actual hook and has its whole history; about the others nothing is known, not even
// that they exist.
#include "Backtraces/call_site.h"
#include "Hooks/hook.h"
#include "Hooks/sample.h"
#include "Process/options.h"

#include <string.h>

uint64_t sample_limit = SAMPLE_ALL;

bool sample_wanted(void) { return the_options.sample > 1 || the_options.max_overhead; }
uint32_t sample_denominator(void) { return (uint32_t)(SAMPLE_ALL / sample_limit); }
void sample_choose(uint32_t denominator) {
  __atomic_store_n(&sample_limit, SAMPLE_ALL / denominator, __ATOMIC_RELAXED);
}

#define SAMPLED_ENTRIES(X) \
  X(retain) X(release) X(retain_n) X(release_n) X(tryRetain) \
  X(nonatomic_retain) X(nonatomic_release) X(nonatomic_retain_n) X(nonatomic_release_n) \
  X(deallocClassInstance) X(deallocObject) X(deallocUninitializedObject)

enum {
#define X(name, access) ENTRY_##name,
  HOOK_OBJECT_ENTRIES(X)
#undef X
  ENTRIES
};

typedef void *(*function)(void *, uint64_t, uint64_t);

static function proper[ENTRIES];  // the hooks of the chosen objects

// The forms with fewer arguments have other values in the registers of the rest, which they do not read.
#define SAMPLED(name)                                                                                      \
  static void *sampled_##name(void *pointer, uint64_t first, uint64_t second) {                            \
    if (__builtin_expect(sample_has(pointer), 0)) TAIL_CALL proper[ENTRY_##name](pointer, first, second);  \
    TAIL_CALL((function)hook_object_table[ENTRY_##name].original)(pointer, first, second);                 \
  }
SAMPLED_ENTRIES(SAMPLED)

typedef void *(*alloc_function)(uint64_t metadata, uint64_t size, uint64_t alignment_mask);

static void *sampled_allocObject(uint64_t metadata, uint64_t size, uint64_t alignment_mask) {
  call_site at = CALL_SITE();
  void *object = ((alloc_function)hook_object_table[ENTRY_allocObject].original)(metadata, size, alignment_mask);
  if (__builtin_expect(sample_has(object), 0)) hook_allocated(object, metadata, size, at);
  return object;
}

static const struct { const char *name; unsigned entry; void *hook; } sampled[] = {
#define X(name) {#name, ENTRY_##name, (void *)sampled_##name},
    SAMPLED_ENTRIES(X) X(allocObject)
#undef X
};

void *hook_at_sample(const char *name, void *hook) {
  for (unsigned i = 0; hook && i < sizeof sampled / sizeof *sampled; i++)
    if (!strcmp(sampled[i].name, name)) {
      proper[sampled[i].entry] = (function)hook;
      return sampled[i].hook;
    }
  return hook;
}
