// Unowned and weak references.
#include "Hooks/hook_weak_unowned.h"
#include "Detection/zombie.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Objects/weak.h"
#include "Process/options.h"
#include "Recording/event.h"
#include "Recording/thread.h"

static void *originals[HOOK_WEAK_UNOWNED_COUNT];
#define ORIGINAL(index, type) ((type)originals[index])

static inline bool recorded(const void *pointer) {
  return (intptr_t)pointer > 0 && zombie_or_sampled(pointer) && class_of(object_at(pointer)->metadata)->id;
}

/// Recorded with all its references. The object must be alive, or kept by an unowned reference.
static inline bool counted(const void *pointer) {
  return (intptr_t)pointer > 0 && zombie_or_sampled(pointer) && class_of(object_at(pointer)->metadata)->is_counted;
}

static inline bool on_stack(thread_state *t, const void *object, call_site at) {
  return backtrace_is_on_stack(&t->stack, (uint64_t)object, at);
}

static void write_event(call_site at, enum lifeline_event_kind kind, const void *object, int64_t count, uint64_t first,
                        uint64_t second, uint32_t arguments) {
  if (the_options.lives && kind != LIFELINE_EVENT_unownedAfterDeinit) return;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint64_t values[2] = {first, second};
  if (!on_stack(t, object, at)) event_write(t, kind, (uint64_t)object, count, 0, at, values, arguments);
  thread_leave(t);
}

typedef void *(*unowned_retain)(void *, uint32_t);
typedef void (*unowned_release)(void *, uint32_t);
typedef void *(*unowned_strong)(void *);

// A count that is passed to the forms without one is in a register they do not read.
#define UNOWNED_RETAIN(name, count)                                                    \
  OUT_OF_LINE void *name##_recorded(void *pointer, uint32_t n) {                       \
    call_site at = CALL_SITE();                                                        \
    void *result = ORIGINAL(ENTRY_##name, unowned_retain)(pointer, n);                 \
    write_event(at, LIFELINE_EVENT_unownedRetain, object_at(pointer), 0, count, 0, 1); \
    return result;                                                                     \
  }                                                                                    \
  static void *hook_##name(void *pointer, uint32_t n) {                                \
    if (counted(pointer)) TAIL_CALL name##_recorded(pointer, n);                       \
    TAIL_CALL ORIGINAL(ENTRY_##name, unowned_retain)(pointer, n);                      \
  }

// The last unowned release of a dead object frees it: see hook_object.c on `freeing`.
#define UNOWNED_RELEASE(name, count)                                                    \
  OUT_OF_LINE void name##_recorded(void *pointer, uint32_t n) {                         \
    call_site at = CALL_SITE();                                                         \
    if (counted(pointer))                                                               \
      write_event(at, LIFELINE_EVENT_unownedRelease, object_at(pointer), 0, count, 0, 1); \
    thread_state *t = thread_enter(call_site_slot(at));                                 \
    if (t) {                                                                            \
      t->freeing = (uint64_t)object_at(pointer);                                        \
      t->freeing_at = at;                                                               \
      thread_leave(t);                                                                  \
    }                                                                                   \
    ORIGINAL(ENTRY_##name, unowned_release)(pointer, n);                                \
    if (t) t->freeing = 0;                                                              \
  }                                                                                     \
  static void hook_##name(void *pointer, uint32_t n) {                                  \
    if (recorded(pointer)) TAIL_CALL name##_recorded(pointer, n);                       \
    TAIL_CALL ORIGINAL(ENTRY_##name, unowned_release)(pointer, n);                      \
  }

#define UNOWNED_STRONG(name, kind)                                                                       \
  OUT_OF_LINE void *name##_recorded(void *pointer) {                                                     \
    call_site at = CALL_SITE();                                                                          \
    heap_object *object = object_at(pointer);                                                            \
    if (object_deiniting(object)) {                                                                      \
      write_event(at, LIFELINE_EVENT_unownedAfterDeinit, object, 0, 0, 0, 0);                            \
      TAIL_CALL ORIGINAL(ENTRY_##name, unowned_strong)(pointer); /* it traps, without us on the stack */ \
    }                                                                                                    \
    void *result = ORIGINAL(ENTRY_##name, unowned_strong)(pointer);                                      \
    if (counted(pointer)) write_event(at, kind, object, object_count(object), 0, 0, 0);                  \
    return result;                                                                                       \
  }                                                                                                      \
  static void *hook_##name(void *pointer) {                                                              \
    if (recorded(pointer)) TAIL_CALL name##_recorded(pointer);                                           \
    TAIL_CALL ORIGINAL(ENTRY_##name, unowned_strong)(pointer);                                           \
  }

UNOWNED_RETAIN(unownedRetain, 1)
UNOWNED_RETAIN(unownedRetain_n, n)
UNOWNED_RETAIN(nonatomic_unownedRetain, 1)
UNOWNED_RETAIN(nonatomic_unownedRetain_n, n)
UNOWNED_RELEASE(unownedRelease, 1)
UNOWNED_RELEASE(unownedRelease_n, n)
UNOWNED_RELEASE(nonatomic_unownedRelease, 1)
UNOWNED_RELEASE(nonatomic_unownedRelease_n, n)
UNOWNED_STRONG(unownedRetainStrong, LIFELINE_EVENT_unownedRetainStrong)
UNOWNED_STRONG(nonatomic_unownedRetainStrong, LIFELINE_EVENT_unownedRetainStrong)
UNOWNED_STRONG(unownedRetainStrongAndRelease, LIFELINE_EVENT_unownedRetainStrongAndRelease)
UNOWNED_STRONG(nonatomic_unownedRetainStrongAndRelease, LIFELINE_EVENT_unownedRetainStrongAndRelease)

typedef void *(*weak_store)(uint64_t *reference, void *object);
typedef void *(*weak_load)(uint64_t *reference);
typedef void (*weak_destroy)(uint64_t *reference);
typedef void *(*weak_copy)(uint64_t *to, uint64_t *from);

OUT_OF_LINE void *weak_stored(weak_store original, uint64_t *reference, void *object, heap_object *before,
                       enum lifeline_event_kind kind, call_site at) {
  void *result = original(reference, object);
  if (before) write_event(at, LIFELINE_EVENT_weakDestroy, before, 0, (uint64_t)reference, 0, 1);
  if (counted(object)) {
    weak_remember(*reference);
    write_event(at, kind, object_at(object), 0, (uint64_t)reference, 0, 1);
  } else if (*reference) {
    weak_forget(*reference);
  }
  return result;
}

KEEPS_FRAME static void *hook_weakInit(uint64_t *reference, void *object) {
  return weak_stored(ORIGINAL(ENTRY_weakInit, weak_store), reference, object, NULL, LIFELINE_EVENT_weakInit,
                     CALL_SITE());
}

KEEPS_FRAME static void *hook_weakAssign(uint64_t *reference, void *object) {
  return weak_stored(ORIGINAL(ENTRY_weakAssign, weak_store), reference, object, weak_target(*reference),
                     LIFELINE_EVENT_weakAssign, CALL_SITE());
}

OUT_OF_LINE void *weak_loaded(weak_load original, uint64_t *reference, call_site at) {
  heap_object *target = weak_target(*reference);
  void *result = original(reference);
  if (!target) return result;
  int64_t count = result ? object_count(object_at(result)) : 0;
  if (count != OBJECT_IMMORTAL)
    write_event(at, LIFELINE_EVENT_weakLoad, target, count, (uint64_t)reference, result != NULL, 2);
  return result;
}

KEEPS_FRAME static void *hook_weakLoadStrong(uint64_t *reference) {
  return weak_loaded(ORIGINAL(ENTRY_weakLoadStrong, weak_load), reference, CALL_SITE());
}

static void *hook_weakTakeStrong(uint64_t *reference) {
  call_site at = CALL_SITE();
  heap_object *target = weak_target(*reference);
  void *result = weak_loaded(ORIGINAL(ENTRY_weakTakeStrong, weak_load), reference, at);
  if (target) write_event(at, LIFELINE_EVENT_weakDestroy, target, 0, (uint64_t)reference, 0, 1);
  return result;
}

static void hook_weakDestroy(uint64_t *reference) {
  heap_object *target = weak_target(*reference);
  if (target) write_event(CALL_SITE(), LIFELINE_EVENT_weakDestroy, target, 0, (uint64_t)reference, 0, 1);
  ORIGINAL(ENTRY_weakDestroy, weak_destroy)(reference);
}

/// `assigns`: `to` held a reference before. `takes`: `from` holds none afterwards.
OUT_OF_LINE void *weak_copied(weak_copy original, uint64_t *to, uint64_t *from, bool assigns, bool takes,
                              call_site at) {
  heap_object *before = assigns ? weak_target(*to) : NULL, *target = weak_target(*from);
  void *result = original(to, from);
  if (before && to != from) write_event(at, LIFELINE_EVENT_weakDestroy, before, 0, (uint64_t)to, 0, 1);
  if (!target || to == from) return result;
  write_event(at, LIFELINE_EVENT_weakCopy, target, 0, (uint64_t)to, (uint64_t)from, 2);
  if (takes) write_event(at, LIFELINE_EVENT_weakDestroy, target, 0, (uint64_t)from, 0, 1);
  return result;
}

#define WEAK_COPY(name, assigns, takes)                                                           \
  KEEPS_FRAME static void *hook_##name(uint64_t *to, uint64_t *from) {                            \
    return weak_copied(ORIGINAL(ENTRY_##name, weak_copy), to, from, assigns, takes, CALL_SITE()); \
  }
WEAK_COPY(weakCopyInit, false, false)
WEAK_COPY(weakTakeInit, false, true)
WEAK_COPY(weakCopyAssign, true, false)
WEAK_COPY(weakTakeAssign, true, true)

hook_entry hook_weak_unowned_table[HOOK_WEAK_UNOWNED_COUNT] = {
#define X(name) {#name, (void *)hook_##name, &originals[ENTRY_##name], 0, 0, 0},
    HOOK_WEAK_UNOWNED_ENTRIES(X)
#undef X
};
