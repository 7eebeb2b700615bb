// Retain, release, allocation, deallocation.
//
// Each hook is a few instructions that decide; the recording half is a function of its own, reached by a
// tail call, so that an object of a class that is not recorded costs neither a frame nor a saved register.
#include "API/allocation_tag.h"
#include "Hooks/class.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "Detection/finding.h"
#include "Detection/guard.h"
#include "Detection/quarantine.h"
#include "Hooks/hook.h"
#include "Hooks/object.h"
#include "Hooks/sample.h"
#include "Process/options.h"
#include "Detection/watch.h"
#include "Detection/zombie.h"


#define ORIGINAL(index, type) ((type)hook_object_table[index].original)
enum {
#define X(name, access) ENTRY_##name,
  HOOK_OBJECT_ENTRIES(X)
#undef X
};

void (*hook_release_dealloc)(void *);

typedef void *(*retain_function)(void *);
typedef void *(*retain_n_function)(void *, uint32_t);
typedef void (*release_function)(void *);
typedef void (*release_n_function)(void *, uint32_t);

static inline bool is_object(const void *pointer) { return (intptr_t)pointer > 0; }
static inline const class_info *class_of_object(const void *pointer) { return class_of(object_at(pointer)->metadata); }

/// A retain or release of something whose first word cannot be metadata. What becomes of it is the runtime's to say.
OUT_OF_LINE void stray(void *pointer, uint32_t access, call_site at) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t argument = access;
    event_write(t, LIFELINE_EVENT_stray, (uint64_t)object_at(pointer), EVENT_NO_COUNT, 0, at, &argument, 1);
    thread_leave(t);
  }
  finding_announce("no object", access, NULL, (uint64_t)object_at(pointer));
}

OUT_OF_LINE void over_released(const class_info *c, heap_object *object, thread_state *t, call_site at) {
  uint64_t argument = object_deiniting(object) ? 1 : 2;
  event_write(t, LIFELINE_EVENT_overRelease, (uint64_t)object, EVENT_NO_COUNT, 0, at, &argument, 1);
  thread_leave(t);
  finding_announce("over-release", LIFELINE_ACCESS_release, c, (uint64_t)object);
}

/// Objects that the compiler promoted to the stack, and static ones, have no heap life to record.
static inline bool on_stack(thread_state *t, const void *object, call_site at) { return backtrace_is_on_stack(&t->stack, (uint64_t)object, at); }

/// Reports a retain or release of a freed object; true when there is nothing left to do.
static inline bool is_zombie(void *pointer, uint32_t access, call_site at) {
  heap_object *object = object_at(pointer);
  if (__builtin_expect(!zombie_is(object->metadata), 1)) return false;
  zombie_report((uint64_t)object, access, 0, 0, at);
  return true;
}

/// Records a retain; false when the original has to do the work unrecorded.
static inline __attribute__((always_inline)) bool retained(void *pointer, uint32_t n, call_site at, retain_n_function fallback) {
  heap_object *object = object_at(pointer);
  if (is_zombie(pointer, LIFELINE_ACCESS_retain, at)) return true;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return false;
  int64_t count = on_stack(t, object, at) ? OBJECT_IMMORTAL : object_retain(object, n);
  if (count == OBJECT_IMMORTAL) {
    thread_leave(t);
    return false;
  }
  if (count < 0) {
    fallback(pointer, n);
    count = object_count(object);
  }
  uint64_t argument = n;
  if (n != 1 || !event_quickly(t, LIFELINE_EVENT_retain, (uint64_t)object, count, 1, at))
    event_write(t, n == 1 ? LIFELINE_EVENT_retain : LIFELINE_EVENT_retainN, (uint64_t)object, count, n, at, &argument, n != 1);
  thread_leave(t);
  return true;
}

static void *fallback_retain(void *pointer, uint32_t n) { return ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n); }

OUT_OF_LINE void *retain_recorded(void *pointer) {
  if (retained(pointer, 1, CALL_SITE(), fallback_retain)) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
}

OUT_OF_LINE void *retain_n_recorded(void *pointer, uint32_t n) {
  if (retained(pointer, n, CALL_SITE(), fallback_retain)) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n);
}

OUT_OF_LINE void *retain_stray(void *pointer) {
  stray(pointer, LIFELINE_ACCESS_retain, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
}

OUT_OF_LINE void *retain_n_stray(void *pointer, uint32_t n) {
  stray(pointer, LIFELINE_ACCESS_retain, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n);
}

// Nearly always the class is found at once; what else has to be done is elsewhere, so that the hook needs no frame.
#define RETAIN_HOOK(name)                                                \
  OUT_OF_LINE void *name##_of_unknown(void *pointer) {                   \
    const class_info *c = class_of_object(pointer);                      \
    if (c->is_counted) TAIL_CALL retain_recorded(pointer);                       \
    if (c == &class_stray) TAIL_CALL retain_stray(pointer);              \
    TAIL_CALL ORIGINAL(ENTRY_##name, retain_function)(pointer);          \
  }                                                                      \
  static void *hook_##name(void *pointer) {                              \
    if (is_object(pointer)) {                                            \
      const class_info *c = class_at_once(object_at(pointer)->metadata); \
      if (!c) TAIL_CALL name##_of_unknown(pointer);                      \
      if (c->is_counted) TAIL_CALL retain_recorded(pointer);                     \
    }                                                                    \
    TAIL_CALL ORIGINAL(ENTRY_##name, retain_function)(pointer);          \
  }
#define RETAIN_N_HOOK(name)                                          \
  static void *hook_##name(void *pointer, uint32_t n) {              \
    if (n && is_object(pointer)) {                                   \
      const class_info *c = class_of_object(pointer);                \
      if (c->is_counted) TAIL_CALL retain_n_recorded(pointer, n);            \
      if (c == &class_stray) TAIL_CALL retain_n_stray(pointer, n);   \
    }                                                                \
    TAIL_CALL ORIGINAL(ENTRY_##name, retain_n_function)(pointer, n); \
  }
RETAIN_HOOK(retain)
RETAIN_HOOK(nonatomic_retain)
RETAIN_N_HOOK(retain_n)
RETAIN_N_HOOK(nonatomic_retain_n)

enum release_outcome { DONE, DEINIT, UNRECORDED };

static inline __attribute__((always_inline)) enum release_outcome released(void *pointer, uint32_t n, call_site at) {
  heap_object *object = object_at(pointer);
  if (is_zombie(pointer, LIFELINE_ACCESS_release, at)) return DONE;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return UNRECORDED;
  bool final = false;
  int64_t count = on_stack(t, object, at) ? OBJECT_IMMORTAL
                  : hook_release_dealloc  ? object_release(object, n, &final)
                                          : OBJECT_OVERFLOW;
  if (count == OBJECT_IMMORTAL) {
    thread_leave(t);
    return UNRECORDED;
  }
  if (count < 0) {
    // The side table is being made, or the release is one too many: the runtime decides, and may not come back.
    if (count == OBJECT_OVER_RELEASED) {
      over_released(class_of_object(pointer), object, t, at);
      return UNRECORDED;
    }
    uint64_t *counts = object_counts(object);
    count = counts ? object_strong(__atomic_load_n(counts, __ATOMIC_RELAXED)) - n : EVENT_NO_COUNT;
    uint64_t argument = n;
    event_write(t, n == 1 ? LIFELINE_EVENT_release : LIFELINE_EVENT_releaseN, (uint64_t)object, count < 0 ? EVENT_NO_COUNT : count,
                -(int64_t)n, at, &argument, n != 1);
    thread_leave(t);
    return UNRECORDED;
  }
  uint64_t argument = n;
  if (n != 1 || !event_quickly(t, LIFELINE_EVENT_release, (uint64_t)object, count, -1, at))
    event_write(t, n == 1 ? LIFELINE_EVENT_release : LIFELINE_EVENT_releaseN, (uint64_t)object, count, -(int64_t)n, at, &argument, n != 1);
  thread_leave(t);
  return final ? DEINIT : DONE;
}

OUT_OF_LINE void release_recorded(void *pointer) {
  switch (released(pointer, 1, CALL_SITE())) {
    case DONE: return;
    case DEINIT: TAIL_CALL hook_release_dealloc((void *)object_at(pointer));
    default: TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
  }
}

OUT_OF_LINE void release_n_recorded(void *pointer, uint32_t n) {
  switch (released(pointer, n, CALL_SITE())) {
    case DONE: return;
    case DEINIT: hook_release_dealloc((void *)object_at(pointer)); return;
    default: TAIL_CALL ORIGINAL(ENTRY_release_n, release_n_function)(pointer, n);
  }
}

OUT_OF_LINE void release_stray(void *pointer) {
  stray(pointer, LIFELINE_ACCESS_release, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
}

OUT_OF_LINE void release_n_stray(void *pointer, uint32_t n) {
  stray(pointer, LIFELINE_ACCESS_release, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release_n, release_n_function)(pointer, n);
}

#define RELEASE_HOOK(name)                                               \
  OUT_OF_LINE void name##_of_unknown(void *pointer) {                    \
    const class_info *c = class_of_object(pointer);                      \
    if (c->is_counted) TAIL_CALL release_recorded(pointer);                      \
    if (c == &class_stray) TAIL_CALL release_stray(pointer);             \
    TAIL_CALL ORIGINAL(ENTRY_##name, release_function)(pointer);         \
  }                                                                      \
  static void hook_##name(void *pointer) {                               \
    if (is_object(pointer)) {                                            \
      const class_info *c = class_at_once(object_at(pointer)->metadata); \
      if (!c) TAIL_CALL name##_of_unknown(pointer);                      \
      if (c->is_counted) TAIL_CALL release_recorded(pointer);                    \
    }                                                                    \
    TAIL_CALL ORIGINAL(ENTRY_##name, release_function)(pointer);         \
  }
#define RELEASE_N_HOOK(name)                                          \
  static void hook_##name(void *pointer, uint32_t n) {                \
    if (n && is_object(pointer)) {                                    \
      const class_info *c = class_of_object(pointer);                 \
      if (c->is_counted) TAIL_CALL release_n_recorded(pointer, n);            \
      if (c == &class_stray) TAIL_CALL release_n_stray(pointer, n);   \
    }                                                                 \
    TAIL_CALL ORIGINAL(ENTRY_##name, release_n_function)(pointer, n); \
  }
RELEASE_HOOK(release)
RELEASE_HOOK(nonatomic_release)
RELEASE_N_HOOK(release_n)
RELEASE_N_HOOK(nonatomic_release_n)

OUT_OF_LINE void *try_retain_recorded(void *pointer) {
  call_site at = CALL_SITE();
  if (is_zombie(pointer, LIFELINE_ACCESS_retain, at)) return NULL;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return ORIGINAL(ENTRY_tryRetain, retain_function)(pointer);
  heap_object *object = object_at(pointer);
  void *result = ORIGINAL(ENTRY_tryRetain, retain_function)(pointer);
  int64_t count = object_count(object);
  if (count != OBJECT_IMMORTAL && !on_stack(t, object, at)) {
    uint64_t argument = result != NULL;
    event_write(t, LIFELINE_EVENT_tryRetain, (uint64_t)object, count, 0, at, &argument, 1);
  }
  thread_leave(t);
  return result;
}

static void *hook_tryRetain(void *pointer) {
  if (is_object(pointer) && class_of_object(pointer)->is_counted) TAIL_CALL try_retain_recorded(pointer);
  TAIL_CALL ORIGINAL(ENTRY_tryRetain, retain_function)(pointer);
}

typedef void *(*alloc_function)(uint64_t metadata, size_t size, size_t alignment_mask);
typedef void (*dealloc_function)(void *object, size_t size, size_t alignment_mask);

static inline void write_allocation(thread_state *t, const class_info *c, uint64_t object, size_t size, uint32_t tag, call_site at) {
  uint64_t arguments[2] = {c->id, size == c->instance_size ? 0 : size};
  if (the_options.lives) event_write_life(t, LIFELINE_EVENT_allocate, object, at, arguments, 2);
  else event_write(t, LIFELINE_EVENT_allocate, object, EVENT_NO_COUNT, 0, at, arguments, 2);
  allocation_tag_write(t, object, tag, at);
}

OUT_OF_LINE void *alloc_recorded(uint64_t metadata, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  uint32_t tag = allocation_tag();
  const class_info *c = class_of(metadata);
  thread_state *t = thread_enter(call_site_slot(at));
  void *object = NULL;
  if (t && (c->flags & LIFELINE_CLASS_GUARDED) && guard_arena != GUARD_NOWHERE) {
    object = alignment_mask <= 15 ? guard_allocate(metadata, size) : NULL;
    if (!object) process_count(LIFELINE_COUNTER_unguardedObjects);
  }
  if (!object) object = ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  if (!t) return object;
  write_allocation(t, c, (uint64_t)object, size, tag, at);
  thread_leave(t);
  return object;
}

void hook_allocated(void *object, uint64_t metadata, size_t size, call_site at) {
  const class_info *c = class_of(metadata);
  if (!c->id) return;
  uint32_t tag = allocation_tag();
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  write_allocation(t, c, (uint64_t)object, size, tag, at);
  thread_leave(t);
}

static void *hook_allocObject(uint64_t metadata, size_t size, size_t alignment_mask) {
  if (class_of(metadata)->id) TAIL_CALL alloc_recorded(metadata, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
}

typedef struct box { void *object, *value; } box;
typedef box (*box_function)(const uint64_t *type);

/// What the runtime asks its allocator for: the box's metadata says where in it the value lies, the type how large that
/// is.
static uint64_t box_size(const heap_object *object, const uint64_t *type) {
  enum { SIZE_OF_VALUE = 8 };  // index in the value witness table
  return ((const uint32_t *)object->metadata)[2] + ((const uint64_t *)type[-1])[SIZE_OF_VALUE];
}

/// A box of a type that is known at run time only. The function has its own copy of swift_allocObject in it, inlined.
static box hook_allocBox(const uint64_t *type) {
  call_site at = CALL_SITE();
  const thread_state *before = thread_current;
  uint64_t last = before ? (uint64_t)before->chunk_number << 32 | before->events : 0;
  box made = ORIGINAL(ENTRY_allocBox, box_function)(type);
  const class_info *c = class_of_object(made.object);
  if (!c->id || !sample_has(made.object)) return made;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return made;
  bool is_recorded = before == t && ((uint64_t)t->chunk_number << 32 | t->events) != last &&
                     t->last_kind == LIFELINE_EVENT_allocate && t->last_object == (uint64_t)made.object;
  uint64_t arguments[2] = {c->id, box_size(made.object, type)};
  if (!is_recorded && the_options.lives) event_write_life(t, LIFELINE_EVENT_allocate, (uint64_t)made.object, at, arguments, 2);
  else if (!is_recorded) event_write(t, LIFELINE_EVENT_allocate, (uint64_t)made.object, EVENT_NO_COUNT, 0, at, arguments, 2);
  thread_leave(t);
  return made;
}

/// Whether somebody retained a dying object and kept it.
static inline bool has_escaped(heap_object *object) {
  uint64_t *counts = object_counts(object);
  uint64_t word = counts ? __atomic_load_n(counts, __ATOMIC_RELAXED) : 0;
  return (word & OBJECT_DEINITING) && object_strong(word) > 0;
}

// A deinit is over. The runtime traps when the object escaped from it.
OUT_OF_LINE void dealloc_class_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  heap_object *object = object_at(pointer);
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t kept = (uint64_t)object_count(object);
    if (!on_stack(t, object, at)) event_write(t, LIFELINE_EVENT_resurrection, (uint64_t)object, EVENT_NO_COUNT, 0, at, &kept, 1);
    thread_leave(t);
  }
  TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
}

static void hook_deallocClassInstance(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer) && __builtin_expect(has_escaped(object_at(pointer)), 0) && class_of_object(pointer)->id)
    TAIL_CALL dealloc_class_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
}

// swift_deallocObject returns the memory through swift_slowDealloc unless unowned references keep it. Both
// of its hooks see the same object; `freeing` tells the second that the memory it is given is that object.
OUT_OF_LINE void dealloc_kept(void *pointer, call_site at) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  event_write(t, LIFELINE_EVENT_deallocate, (uint64_t)pointer, EVENT_NO_COUNT, 0, at, NULL, 0);
  thread_leave(t);
}

OUT_OF_LINE void dealloc_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  thread_state *t = thread_enter(call_site_slot(at));
  if (zombie_is(((heap_object *)pointer)->metadata)) {
    if (t) thread_leave(t);
    zombie_report((uint64_t)pointer, LIFELINE_ACCESS_release, 0, 0, at);
    return;
  }
  if (!t || on_stack(t, pointer, at)) {
    if (t) thread_leave(t);
    TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
  }
  watch_deallocated((uint64_t)pointer);
  // At depth "lives" the free says it all, unless unowned references keep the memory.
  if (!the_options.lives) event_write(t, LIFELINE_EVENT_deallocate, (uint64_t)pointer, EVENT_NO_COUNT, 0, at, NULL, 0);
  t->freeing = (uint64_t)pointer;
  t->freeing_at = at;
  thread_leave(t);
  // Unowned references may keep the memory: a zombie it is from here on all the same.
  if (zombie_wanted()) zombie_mark((uint64_t)pointer);
  ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
  if (the_options.lives && t->freeing) dealloc_kept(pointer, at);
  t->freeing = 0;
}

static void hook_deallocObject(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer) && class_of_object(pointer)->id) TAIL_CALL dealloc_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void dealloc_uninitialized_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    t->freeing = (uint64_t)pointer;
    t->freeing_at = at;
    thread_leave(t);
  }
  ORIGINAL(ENTRY_deallocUninitializedObject, dealloc_function)(pointer, size, alignment_mask);
  if (t) t->freeing = 0;
}

static void hook_deallocUninitializedObject(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer) && class_of_object(pointer)->id) TAIL_CALL dealloc_uninitialized_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocUninitializedObject, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void free_recorded(void *pointer, size_t size, size_t alignment_mask) {
  thread_state *t = thread_current;
  call_site at = t->freeing_at;
  t->freeing = 0;
  t = thread_enter((uint64_t)__builtin_frame_address(0));
  if (t) {
    // Its deallocation is the event before, unless somebody did something in between, and the hook that wrote it still
    // runs.
    if (the_options.lives) event_write_life(t, LIFELINE_EVENT_free, (uint64_t)pointer, at, NULL, 0);
    else if (t->last_kind == LIFELINE_EVENT_deallocate && t->last_object == (uint64_t)pointer) event_write_here(t, LIFELINE_EVENT_free, (uint64_t)pointer);
    else event_write(t, LIFELINE_EVENT_free, (uint64_t)pointer, EVENT_NO_COUNT, 0, at, NULL, 0);
    thread_leave(t);
  }
  if (guard_contains((uint64_t)pointer) && guard_free((uint64_t)pointer)) return;
  if (t && zombie_wanted() && zombie_mark((uint64_t)pointer)) {
    quarantine_keep(&t->quarantine, (quarantined){pointer, size, alignment_mask}, ORIGINAL(ENTRY_slowDealloc, dealloc_function));
    return;
  }
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

static void hook_slowDealloc(void *pointer, size_t size, size_t alignment_mask) {
  const thread_state *t = thread_current;
  if (t && t->freeing == (uint64_t)pointer && pointer) TAIL_CALL free_recorded(pointer, size, alignment_mask);
  if (__builtin_expect(guard_contains((uint64_t)pointer), 0) && guard_free((uint64_t)pointer)) return;
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

enum { NEITHER = 0, RETAINS = LIFELINE_ACCESS_retain, RELEASES = LIFELINE_ACCESS_release };

hook_entry hook_object_table[] = {
#define X(name, access) {#name, (void *)hook_##name, 0, 0, access, 0},
    HOOK_OBJECT_ENTRIES(X)
#undef X
};
const unsigned hook_object_count = sizeof hook_object_table / sizeof *hook_object_table;
