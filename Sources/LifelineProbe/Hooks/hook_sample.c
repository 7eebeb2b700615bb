// A sample of the objects: each hook decides in a few instructions, before it looks at anything. A sampled object is
// passed on to the actual hook and has its whole history; nothing is known about the others, not even that they exist.
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

static inline bool is_zombie(const void *pointer) { return zombie_is(object_at(pointer)->metadata); }

static inline bool may_record(const void *pointer) {
  return is_object(pointer) && (sample_may_have(pointer) || __builtin_expect(is_zombie(pointer), 0));
}

// The forms with fewer arguments have other values in the registers of the rest, which they do not read.
#define CONSIDERED(name)                                                                \
  OUT_OF_LINE void *considered_##name(void *pointer, uint64_t first, uint64_t second) { \
    if (zombie_or_sampled(pointer))                                                     \
      TAIL_CALL proper[ENTRY_##name](pointer, first, second);                           \
    TAIL_CALL ORIGINAL(ENTRY_##name, function)(pointer, first, second);                 \
  }
#define SAMPLED(name)                                                                  \
  CONSIDERED(name)                                                                     \
  static void *sampled_##name(void *pointer, uint64_t first, uint64_t second) {        \
    if (may_record(pointer)) TAIL_CALL considered_##name(pointer, first, second);      \
    TAIL_CALL ORIGINAL(ENTRY_##name, function)(pointer, first, second);                \
  }

// What the runtime would do for nearly all objects, as hook_retain, hook_release and hook_deallocObject do it.
// Without zombies a retain need not look for them. At depth "lives" it looks for nothing else, and a release looks at
// the sample only if it takes more references than there are.
#define COUNTING(suffix, is_recorded, is_dead)                                                        \
  static void *sampled_retain##suffix(void *pointer, uint64_t first, uint64_t second) {               \
    if (!is_object(pointer)) return pointer;                                                          \
    if ((is_recorded) || __builtin_expect(is_dead, 0))                                                \
      TAIL_CALL considered_retain(pointer, first, second);                                            \
    if (object_retain_plainly(object_at(pointer))) return pointer;                                    \
    TAIL_CALL ORIGINAL(ENTRY_retain, function)(pointer, first, second);                               \
  }                                                                                                   \
  static void *sampled_release##suffix(void *pointer, uint64_t first, uint64_t second) {              \
    if (!is_object(pointer)) return pointer;                                                          \
    if ((is_recorded) || __builtin_expect(is_dead, 0))                                                \
      TAIL_CALL considered_release(pointer, first, second);                                           \
    if (object_release_plainly(object_at(pointer))) return pointer;                                   \
    if (hook_plain_dealloc && object_release_finally(object_at(pointer)))                             \
      TAIL_CALL((function)(void *)hook_plain_dealloc)(object_at(pointer), first, second);             \
    TAIL_CALL considered_release(pointer, first, second);                                             \
  }
CONSIDERED(retain)
CONSIDERED(release)
COUNTING(, sample_may_have(pointer), false)
COUNTING(_zombies, sample_may_have(pointer), is_zombie(pointer))
COUNTING(_at_lives, false, is_zombie(pointer))
// An exploration has a point of its own at the end of an object.
#define SAMPLED_DEALLOC(name, unrecorded)                                              \
  CONSIDERED(name)                                                                     \
  static void *sampled_##name(void *pointer, uint64_t first, uint64_t second) {        \
    if (may_record(pointer)) TAIL_CALL considered_##name(pointer, first, second);      \
    if (is_object(pointer) && !the_options.explores)                                   \
      TAIL_CALL((function)(void *)unrecorded)(pointer, first, second);                 \
    TAIL_CALL ORIGINAL(ENTRY_##name, function)(pointer, first, second);                \
  }
SAMPLED_DEALLOC(deallocClassInstance, hook_end_class_instance)
SAMPLED_DEALLOC(deallocObject, hook_end_object)
SAMPLED_ENTRIES(SAMPLED)

/// Records an object if it is in the sample. One that is remembered at its address was freed unseen.
OUT_OF_LINE void considered(void *object, uint64_t metadata, uint64_t size, call_site at, bool is_chosen) {
  if (!sample_is_remembered) {
    if (sample_has(object)) hook_allocated(object, metadata, size, at);
    return;
  }
  sample_forget((uint64_t)object);
  if (is_chosen && class_of(metadata)->id && sample_remember((uint64_t)object) &&
      !hook_allocated(object, metadata, size, at))
    sample_forget((uint64_t)object);
}

static void *sampled_allocObject(uint64_t metadata, uint64_t size, uint64_t alignment_mask) {
  call_site at = CALL_SITE();
  void *object = ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  bool is_chosen = sample_chooses(object);
  if (__builtin_expect(is_chosen | sample_may_have(object), 0)) considered(object, metadata, size, at, is_chosen);
  return object;
}

static dealloc_function give_back;  // what the probe's hooks call to return memory

static void give_back_sampled(void *pointer, size_t size, size_t alignment_mask) {
  if (sample_may_have(pointer)) sample_forget((uint64_t)pointer);
  TAIL_CALL give_back(pointer, size, alignment_mask);
}

void hook_forget_freed(const char *name, void **original) {
  if (strcmp(name, "slowDealloc") || !sample_is_remembered || *original == (void *)give_back_sampled) return;
  give_back = (dealloc_function)*original;
  *original = (void *)give_back_sampled;
}

// Where the address decides, retains of freed memory that is in the sample are reported, too, also at depth "lives".
static const struct { const char *name; unsigned entry; void *hook, *with_zombies, *at_lives; } sampled[] = {
#define SAME(name, hook) {#name, ENTRY_##name, (void *)hook, (void *)hook, (void *)hook},
#define X(name) SAME(name, sampled_##name)
    SAMPLED_ENTRIES(X) X(deallocClassInstance) X(deallocObject) X(allocObject) SAME(bufferAllocate, sampled_allocObject)
#undef X
#define X(name) \
  {#name, ENTRY_##name, (void *)sampled_##name, (void *)sampled_##name##_zombies, (void *)sampled_##name##_at_lives},
    X(retain) X(release)
#undef X
};

void *hook_at_sample(const char *name, void *hook) {
  for (unsigned i = 0; hook && i < sizeof sampled / sizeof *sampled; i++)
    if (!strcmp(sampled[i].name, name)) {
      proper[sampled[i].entry] = (function)hook;
      if (the_options.lives && sample_is_remembered) return sampled[i].at_lives;
      return the_options.zombies ? sampled[i].with_zombies : sampled[i].hook;
    }
  return hook;
}
