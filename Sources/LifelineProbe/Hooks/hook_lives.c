// Depth "lives": retains and releases are not recorded. With zombies their entry points are still detoured, to check in
// a few instructions whether the object is dead, or a release takes more references than there are.
#include "Hooks/hook_lives.h"
#include "Detection/guard.h"
#include "Detection/watch.h"
#include "Detection/zombie.h"
#include "Hooks/hook_life.h"
#include "Hooks/hook_object.h"
#include "Process/options.h"
#include "Recording/allocation_tag.h"
#include "Recording/event_life.h"

#include <string.h>

#define COUNTING_ENTRIES(X) \
  X(retain) X(release) X(retain_n) X(release_n) X(tryRetain) \
  X(nonatomic_retain) X(nonatomic_release) X(nonatomic_retain_n) X(nonatomic_release_n)

typedef void *(*retained_function)(void *, uint32_t);
typedef void (*released_function)(void *, uint32_t);

static inline bool is_dead(const void *pointer) {
  return is_object(pointer) && __builtin_expect(zombie_is(object_at(pointer)->metadata), 0);
}

OUT_OF_LINE void *retained_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_retain, 0, 0, CALL_SITE());
  return pointer;
}

/// Whether the first word cannot be metadata. More is not worth its time here: what the allocator leaves there in freed
/// memory is misaligned in seven of eight cases.
static inline bool is_stray(const void *pointer) {
  return __builtin_expect((object_at(pointer)->metadata & 7) != 0, 0);
}

OUT_OF_LINE void *tried_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_retain, 0, 0, CALL_SITE());
  return NULL;
}

KEEPS_FRAME OUT_OF_LINE void released_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_release, 0, 0, CALL_SITE());
}

OUT_OF_LINE void released_rarely(void *pointer, uint32_t n) {
  if (object_lacks(object_at(pointer), 1)) hook_over_released(pointer, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release, released_function)(pointer, n);
}

#define STRAY(name)                                                  \
  OUT_OF_LINE void *stray_##name(void *pointer, uint32_t n) {        \
    hook_stray(pointer, LIFELINE_ACCESS_retain, CALL_SITE());        \
    TAIL_CALL ORIGINAL(ENTRY_##name, retained_function)(pointer, n); \
  }
STRAY(retain)
STRAY(retain_n)

// The forms without a count have another value in its register, which they do not read.
// Live objects are counted here, like in hook_retain and hook_release.
static void *lives_retain(void *pointer, uint32_t n) {
  if (!is_object(pointer)) return pointer;
  if (is_dead(pointer)) TAIL_CALL retained_dead(pointer, n);
  if (is_stray(pointer)) TAIL_CALL stray_retain(pointer, n);
  if (object_retain_plainly(object_at(pointer))) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain, retained_function)(pointer, n);
}
static void lives_release(void *pointer, uint32_t n) {
  if (!is_object(pointer)) return;
  if (is_dead(pointer)) TAIL_CALL released_dead(pointer, n);
  if (object_release_plainly(object_at(pointer))) return;
  if (hook_plain_dealloc && object_release_finally(object_at(pointer)))
    TAIL_CALL((released_function)(void *)hook_plain_dealloc)(object_at(pointer), n);
  TAIL_CALL released_rarely(pointer, n);
}

static void *lives_retain_n(void *pointer, uint32_t n) {
  if (is_dead(pointer)) TAIL_CALL retained_dead(pointer, n);
  if (is_object(pointer) && is_stray(pointer)) TAIL_CALL stray_retain_n(pointer, n);
  TAIL_CALL ORIGINAL(ENTRY_retain_n, retained_function)(pointer, n);
}

#define RETAIN(name, dead)                                           \
  static void *lives_##name(void *pointer, uint32_t n) {             \
    if (is_dead(pointer)) TAIL_CALL dead(pointer, n);                \
    TAIL_CALL ORIGINAL(ENTRY_##name, retained_function)(pointer, n); \
  }
#define RELEASE(name, references)                                                                \
  OUT_OF_LINE void lacking_##name(void *pointer, uint32_t n) {                                   \
    hook_over_released(pointer, CALL_SITE());                                                    \
    TAIL_CALL ORIGINAL(ENTRY_##name, released_function)(pointer, n);                             \
  }                                                                                              \
  static void lives_##name(void *pointer, uint32_t n) {                                          \
    if (is_dead(pointer)) TAIL_CALL released_dead(pointer, n);                                   \
    if (is_object(pointer) && __builtin_expect(object_lacks(object_at(pointer), references), 0)) \
      TAIL_CALL lacking_##name(pointer, n);                                                      \
    TAIL_CALL ORIGINAL(ENTRY_##name, released_function)(pointer, n);                             \
  }
RETAIN(tryRetain, tried_dead)
RETAIN(nonatomic_retain, retained_dead)
RETAIN(nonatomic_retain_n, retained_dead)
RELEASE(release_n, n)
RELEASE(nonatomic_release, 1)
RELEASE(nonatomic_release_n, n)

// Without guards an allocation is only its event, and so is a free: the count word says beforehand that the memory will
// be freed, so that need not be seen in swift_slowDealloc.

OUT_OF_LINE void *allocated(uint64_t metadata, size_t size, size_t alignment_mask, const class_info *c) {
  call_site at = CALL_SITE();
  void *object = ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return object;
  event_write_life(t, LIFELINE_EVENT_allocate, (uint64_t)object, at, c->id, size == c->instance_size ? 0 : size);
  thread_leave(t);
  return object;
}

// The last argument is the class, for `allocated`; callers do not pass it, and the other hooks do not read it.
typedef void *(*alloc_of_class)(uint64_t, size_t, size_t, const class_info *);

static void *lives_allocObject(uint64_t metadata, size_t size, size_t alignment_mask, const class_info *c) {
  if (class_kind_at_once(metadata) == CLASS_UNRECORDED)
    TAIL_CALL ORIGINAL(ENTRY_allocObject, alloc_of_class)(metadata, size, alignment_mask, c);
  c = class_at_once(metadata);
  if (!c || !c->id || allocation_tag_key)
    TAIL_CALL((alloc_of_class)(void *)hook_allocObject)(metadata, size, alignment_mask, c);
  TAIL_CALL allocated(metadata, size, alignment_mask, c);
}

/// Records the free of an object; the state of the thread, or NULL when it is not recorded.
static inline __attribute__((always_inline)) thread_state *record_free(void *pointer, call_site at) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return NULL;
  bool is_recorded = !on_stack(t, pointer, at);
  if (is_recorded) {
    watch_deallocated((uint64_t)pointer);
    event_write_life(t, LIFELINE_EVENT_free, (uint64_t)pointer, at, 0, 0);
  }
  thread_leave(t);
  return is_recorded ? t : NULL;
}

OUT_OF_LINE void freed(void *pointer, size_t size, size_t alignment_mask) {
  record_free(pointer, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void freed_to_quarantine(void *pointer, size_t size, size_t alignment_mask) {
  thread_state *t = record_free(pointer, CALL_SITE());
  if (hook_keep_freed(t, pointer, size, alignment_mask)) return;
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

// An exploration has a point of its own at the end of an object, and a zombie that is freed again is reported.
#define DEALLOC(hook, name, unrecorded, freed, is_zombie)                                             \
  static void hook(void *pointer, size_t size, size_t alignment_mask) {                               \
    if (is_object(pointer)) {                                                                         \
      uint64_t metadata = object_at(pointer)->metadata, kind = class_kind_at_once(metadata);          \
      if (kind == CLASS_UNRECORDED) TAIL_CALL unrecorded(pointer, size, alignment_mask);              \
      if (kind < CLASS_KINDS && object_is_freed_now(object_at(pointer)) && !the_options.explores &&   \
          !guard_contains((uint64_t)pointer) && !(is_zombie))                                         \
        TAIL_CALL freed(pointer, size, alignment_mask);                                               \
    }                                                                                                 \
    TAIL_CALL hook_##name(pointer, size, alignment_mask);                                             \
  }
DEALLOC(lives_deallocObject, deallocObject, hook_end_object, freed, false)
DEALLOC(lives_deallocClassInstance, deallocClassInstance, hook_end_class_instance, freed, false)
DEALLOC(lives_deallocObject_zombies, deallocObject, hook_end_object, freed_to_quarantine, zombie_is(metadata))
DEALLOC(
    lives_deallocClassInstance_zombies, deallocClassInstance, hook_end_class_instance, freed_to_quarantine,
    zombie_is(metadata))

static const struct { const char *name; void *hook; } counting[] = {
#define X(name) {#name, (void *)lives_##name},
    COUNTING_ENTRIES(X)
#undef X
};

void *hook_at_lives(const char *name, void *hook, bool zombies) {
  for (unsigned i = 0; i < sizeof counting / sizeof *counting; i++)
    if (!strcmp(counting[i].name, name)) return zombies ? counting[i].hook : NULL;
  bool guards = the_options.guard.count;
  if (!strcmp(name, "allocObject") && !guards) return (void *)lives_allocObject;
  if (!strcmp(name, "deallocObject") && !guards)
    return zombies ? (void *)lives_deallocObject_zombies : (void *)lives_deallocObject;
  if (!strcmp(name, "deallocClassInstance") && !guards)
    return zombies ? (void *)lives_deallocClassInstance_zombies : (void *)lives_deallocClassInstance;
  // Weak references and unowned retains do not affect allocations and frees; an unowned release may free.
  bool is_weak = !strncmp(name, "weak", 4);
  bool is_unowned_retain = strstr(name, "nownedRetain") && !strstr(name, "Strong");
  return is_weak || is_unowned_retain ? NULL : hook;
}
