// A sample of the objects: each hook decides by the address, in a few instructions, before it looks at anything. A
// sampled object is passed on to the actual hook and has its whole history; nothing is known about the others, not even
// that they exist.
#include "Hooks/hook_sample.h"
#include "Hooks/hook_life.h"
#include "Hooks/hook_object.h"
#include "Process/options.h"
#include "Process/sample.h"

#include <string.h>

#define SAMPLED_ENTRIES(X) \
  X(retain_n) X(release_n) X(tryRetain) \
  X(nonatomic_retain) X(nonatomic_release) X(nonatomic_retain_n) X(nonatomic_release_n) \
  X(deallocUninitializedObject)

typedef void *(*function)(void *, uint64_t, uint64_t);

static function proper[ENTRY_slowDealloc + 1];  // the hooks of the sampled objects

// The forms with fewer arguments have other values in the registers of the rest, which they do not read.
#define SAMPLED(name)                                                                                      \
  static void *sampled_##name(void *pointer, uint64_t first, uint64_t second) {                            \
    if (__builtin_expect(sample_has(pointer), 0)) TAIL_CALL proper[ENTRY_##name](pointer, first, second);  \
    TAIL_CALL ORIGINAL(ENTRY_##name, function)(pointer, first, second);                                    \
  }

// What the runtime would do for nearly all objects, as hook_retain, hook_release and hook_deallocObject do it.
static void *sampled_retain(void *pointer, uint64_t first, uint64_t second) {
  if (!is_object(pointer)) return pointer;
  if (__builtin_expect(sample_has(pointer), 0)) TAIL_CALL proper[ENTRY_retain](pointer, first, second);
  if (object_retain_plainly(object_at(pointer))) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain, function)(pointer, first, second);
}
static void *sampled_release(void *pointer, uint64_t first, uint64_t second) {
  if (!is_object(pointer)) return pointer;
  if (__builtin_expect(sample_has(pointer), 0)) TAIL_CALL proper[ENTRY_release](pointer, first, second);
  if (object_release_plainly(object_at(pointer))) return pointer;
  if (hook_plain_dealloc && object_release_finally(object_at(pointer)))
    TAIL_CALL((function)(void *)hook_plain_dealloc)(object_at(pointer), first, second);
  TAIL_CALL ORIGINAL(ENTRY_release, function)(pointer, first, second);
}
// An exploration has a point of its own at the end of an object.
#define SAMPLED_DEALLOC(name, unrecorded)                                                                 \
  static void *sampled_##name(void *pointer, uint64_t first, uint64_t second) {                           \
    if (__builtin_expect(sample_has(pointer), 0)) TAIL_CALL proper[ENTRY_##name](pointer, first, second); \
    if (is_object(pointer) && !the_options.explores)                                                      \
      TAIL_CALL((function)(void *)unrecorded)(pointer, first, second);                                    \
    TAIL_CALL ORIGINAL(ENTRY_##name, function)(pointer, first, second);                                   \
  }
SAMPLED_DEALLOC(deallocClassInstance, hook_end_class_instance)
SAMPLED_DEALLOC(deallocObject, hook_end_object)
SAMPLED_ENTRIES(SAMPLED)

static void *sampled_allocObject(uint64_t metadata, uint64_t size, uint64_t alignment_mask) {
  call_site at = CALL_SITE();
  void *object = ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  if (__builtin_expect(sample_has(object), 0)) hook_allocated(object, metadata, size, at);
  return object;
}

static const struct { const char *name; unsigned entry; void *hook; } sampled[] = {
#define X(name) {#name, ENTRY_##name, (void *)sampled_##name},
    SAMPLED_ENTRIES(X) X(retain) X(release) X(deallocClassInstance) X(deallocObject) X(allocObject)
#undef X
    {"bufferAllocate", ENTRY_bufferAllocate, (void *)sampled_allocObject},
};

void *hook_at_sample(const char *name, void *hook) {
  for (unsigned i = 0; hook && i < sizeof sampled / sizeof *sampled; i++)
    if (!strcmp(sampled[i].name, name)) {
      proper[sampled[i].entry] = (function)hook;
      return sampled[i].hook;
    }
  return hook;
}
