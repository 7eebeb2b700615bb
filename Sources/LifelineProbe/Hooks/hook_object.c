// Retain and release.
//
// Each hook is a few instructions that decide; the recording half is a function of its own, reached by a
// tail call, so that an object of a class that is not recorded costs neither a frame nor a saved register.
#include "Hooks/hook_object.h"
#include "Backtraces/stack.h"
#include "Detection/finding.h"
#include "Detection/freed_holder.h"
#include "Detection/zombie.h"
#include "Process/options.h"
#include "Recording/event.h"
#include "Recording/thread.h"

void *hook_object_originals[HOOK_OBJECT_COUNT];
void (*hook_release_dealloc)(void *), (*hook_plain_dealloc)(void *);

void hook_stray(void *pointer, uint32_t access, call_site at) {
  uint64_t place, holder = freed_holder((uint64_t)object_at(pointer), &place);
  if (holder) {
    zombie_report(holder, LIFELINE_ACCESS_read, place, (uint64_t)object_at(pointer), at);
    return;
  }
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t address = (uint64_t)object_at(pointer), argument = access;
    if (address >= t->stack.low && address < t->stack.high) argument |= LIFELINE_STRAY_OWN_STACK;
    else if (stack_is_main(address)) argument |= LIFELINE_STRAY_MAIN_STACK;
    event_write(t, LIFELINE_EVENT_stray, address, EVENT_NO_COUNT, 0, at, &argument, 1);
    thread_leave(t);
  }
  finding_announce("not an object", access, NULL, (uint64_t)object_at(pointer), NULL);
}

OUT_OF_LINE void over_released(const class_info *c, heap_object *object, thread_state *t, call_site at) {
  uint64_t argument = object_deiniting(object) ? 1 : 2;
  event_write(t, LIFELINE_EVENT_overRelease, (uint64_t)object, EVENT_NO_COUNT, 0, at, &argument, 1);
  thread_leave(t);
  finding_announce("over-release", LIFELINE_ACCESS_release, c, (uint64_t)object, NULL);
}

void hook_over_released(void *pointer, call_site at) {
  const class_info *c = class_of_object(pointer);
  thread_state *t = c->id ? thread_enter(call_site_slot(at)) : NULL;
  if (!t) return;
  if (on_stack(t, object_at(pointer), at)) thread_leave(t);
  else over_released(c, object_at(pointer), t, at);
}

/// Reports a retain or release of a freed object; true when nothing is left to do.
static inline bool is_zombie(void *pointer, uint32_t access, call_site at) {
  heap_object *object = object_at(pointer);
  if (__builtin_expect(!zombie_is(object->metadata), 1)) return false;
  zombie_report((uint64_t)object, access, 0, 0, at);
  return true;
}

/// Records a retain; false when the original has to do the work unrecorded.
static inline __attribute__((always_inline)) bool retained(void *pointer, uint32_t n, call_site at,
                                                           retain_n_function fallback) {
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
    event_write(t, n == 1 ? LIFELINE_EVENT_retain : LIFELINE_EVENT_retainN, (uint64_t)object, count, n, at, &argument,
                n != 1);
  thread_leave(t);
  return true;
}

static void *fallback_retain(void *pointer, uint32_t n) {
  return ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n);
}

OUT_OF_LINE void *retain_recorded(void *pointer) {
  if (retained(pointer, 1, CALL_SITE(), fallback_retain)) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
}

OUT_OF_LINE void *retain_n_recorded(void *pointer, uint32_t n) {
  if (retained(pointer, n, CALL_SITE(), fallback_retain)) return pointer;
  TAIL_CALL ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n);
}

OUT_OF_LINE void *retain_stray(void *pointer) {
  hook_stray(pointer, LIFELINE_ACCESS_retain, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
}

OUT_OF_LINE void *retain_n_stray(void *pointer, uint32_t n) {
  hook_stray(pointer, LIFELINE_ACCESS_retain, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_retain_n, retain_n_function)(pointer, n);
}

// Nearly always the kind of the class is known at once, and the counts of an object that is not recorded are changed
// here, as in the runtime: calling its function would cost as much again. Everything else is done elsewhere, so that
// the hook needs no frame.
OUT_OF_LINE void *retain_of_unknown(void *pointer) {
  const class_info *c = class_meet(object_at(pointer)->metadata);
  if (c->is_counted) TAIL_CALL retain_recorded(pointer);
  if (c == &class_stray) TAIL_CALL retain_stray(pointer);
  TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
}

void *hook_retain(void *pointer) {
  if (!is_object(pointer)) return pointer;
  uint64_t kind = class_kind_at_once(object_at(pointer)->metadata);
  if (kind < CLASS_COUNTED) {
    if (object_retain_plainly(object_at(pointer))) return pointer;
    TAIL_CALL ORIGINAL(ENTRY_retain, retain_function)(pointer);
  }
  if (kind == CLASS_COUNTED) TAIL_CALL retain_recorded(pointer);
  TAIL_CALL retain_of_unknown(pointer);
}

void *hook_nonatomic_retain(void *pointer) {
  if (is_object(pointer)) {
    const class_info *c = class_of_object(pointer);
    if (c->is_counted) TAIL_CALL retain_recorded(pointer);
    if (c == &class_stray) TAIL_CALL retain_stray(pointer);
  }
  TAIL_CALL ORIGINAL(ENTRY_nonatomic_retain, retain_function)(pointer);
}

#define RETAIN_N_HOOK(hook, entry)                                   \
  void *hook(void *pointer, uint32_t n) {                            \
    if (n && is_object(pointer)) {                                   \
      const class_info *c = class_of_object(pointer);                \
      if (c->is_counted) TAIL_CALL retain_n_recorded(pointer, n);    \
      if (c == &class_stray) TAIL_CALL retain_n_stray(pointer, n);   \
    }                                                                \
    TAIL_CALL ORIGINAL(entry, retain_n_function)(pointer, n);        \
  }
RETAIN_N_HOOK(hook_retain_n, ENTRY_retain_n)
RETAIN_N_HOOK(hook_nonatomic_retain_n, ENTRY_nonatomic_retain_n)

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
    event_write(t, n == 1 ? LIFELINE_EVENT_release : LIFELINE_EVENT_releaseN, (uint64_t)object,
                count < 0 ? EVENT_NO_COUNT : count, -(int64_t)n, at, &argument, n != 1);
    thread_leave(t);
    return UNRECORDED;
  }
  uint64_t argument = n;
  if (n == 1 && count == 0 && final) event_write_final_release(t, (uint64_t)object, at);
  else if (n != 1 || !event_quickly(t, LIFELINE_EVENT_release, (uint64_t)object, count, -1, at))
    event_write(t, n == 1 ? LIFELINE_EVENT_release : LIFELINE_EVENT_releaseN, (uint64_t)object, count, -(int64_t)n, at,
                &argument, n != 1);
  thread_leave(t);
  return final ? DEINIT : DONE;
}

KEEPS_FRAME OUT_OF_LINE void release_recorded(void *pointer) {
  switch (released(pointer, 1, CALL_SITE())) {
    case DONE: return;
    case DEINIT: TAIL_CALL hook_release_dealloc((void *)object_at(pointer));
    default: TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
  }
}

KEEPS_FRAME OUT_OF_LINE void release_n_recorded(void *pointer, uint32_t n) {
  switch (released(pointer, n, CALL_SITE())) {
    case DONE: return;
    case DEINIT: hook_release_dealloc((void *)object_at(pointer)); return;
    default: TAIL_CALL ORIGINAL(ENTRY_release_n, release_n_function)(pointer, n);
  }
}

OUT_OF_LINE void release_stray(void *pointer) {
  hook_stray(pointer, LIFELINE_ACCESS_release, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
}

OUT_OF_LINE void release_n_stray(void *pointer, uint32_t n) {
  hook_stray(pointer, LIFELINE_ACCESS_release, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release_n, release_n_function)(pointer, n);
}

OUT_OF_LINE void release_of_unknown(void *pointer) {
  const class_info *c = class_meet(object_at(pointer)->metadata);
  if (c->is_counted) TAIL_CALL release_recorded(pointer);
  if (c == &class_stray) TAIL_CALL release_stray(pointer);
  TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
}

/// A release of an object that has a side table, or of one that has no reference left.
OUT_OF_LINE void release_rarely(void *pointer) {
  if (object_lacks(object_at(pointer), 1)) hook_over_released(pointer, CALL_SITE());
  TAIL_CALL ORIGINAL(ENTRY_release, release_function)(pointer);
}

void hook_release(void *pointer) {
  if (!is_object(pointer)) return;
  uint64_t kind = class_kind_at_once(object_at(pointer)->metadata);
  if (kind < CLASS_COUNTED) {
    if (object_release_plainly(object_at(pointer))) return;
    if (hook_plain_dealloc && object_release_finally(object_at(pointer)))
      TAIL_CALL hook_plain_dealloc(object_at(pointer));
    TAIL_CALL release_rarely(pointer);
  }
  if (kind == CLASS_COUNTED) TAIL_CALL release_recorded(pointer);
  TAIL_CALL release_of_unknown(pointer);
}

void hook_nonatomic_release(void *pointer) {
  if (is_object(pointer)) {
    const class_info *c = class_of_object(pointer);
    if (c->is_counted) TAIL_CALL release_recorded(pointer);
    if (c == &class_stray) TAIL_CALL release_stray(pointer);
  }
  TAIL_CALL ORIGINAL(ENTRY_nonatomic_release, release_function)(pointer);
}

#define RELEASE_N_HOOK(hook, entry)                                   \
  void hook(void *pointer, uint32_t n) {                              \
    if (n && is_object(pointer)) {                                    \
      const class_info *c = class_of_object(pointer);                 \
      if (c->is_counted) TAIL_CALL release_n_recorded(pointer, n);    \
      if (c == &class_stray) TAIL_CALL release_n_stray(pointer, n);   \
    }                                                                 \
    TAIL_CALL ORIGINAL(entry, release_n_function)(pointer, n);        \
  }
RELEASE_N_HOOK(hook_release_n, ENTRY_release_n)
RELEASE_N_HOOK(hook_nonatomic_release_n, ENTRY_nonatomic_release_n)

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

void *hook_tryRetain(void *pointer) {
  if (is_object(pointer) && class_of_object(pointer)->is_counted) TAIL_CALL try_retain_recorded(pointer);
  TAIL_CALL ORIGINAL(ENTRY_tryRetain, retain_function)(pointer);
}
