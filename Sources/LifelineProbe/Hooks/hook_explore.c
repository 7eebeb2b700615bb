// The hooks of an exploration. Each is a point followed by a tail call of the normal hook, which therefore sees the
// program's own stack.
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "Hooks/hook_explore.h"
#include "Backtraces/call_site.h"
#include "Detection/guard.h"
#include "Exploration/explore.h"
#include "Hooks/hook_object.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Objects/weak.h"

#define POINTS(X) \
  X(retain, USE) X(retain_n, USE) X(nonatomic_retain, USE) X(nonatomic_retain_n, USE) X(tryRetain, USE) \
  X(release, END) X(release_n, END) X(nonatomic_release, END) X(nonatomic_release_n, END) \
  X(unownedRetain, USE) X(unownedRetain_n, USE) X(nonatomic_unownedRetain, USE) X(nonatomic_unownedRetain_n, USE) \
  X(unownedRelease, END) X(unownedRelease_n, END) X(nonatomic_unownedRelease, END) X(nonatomic_unownedRelease_n, END) \
  X(unownedRetainStrong, USE) X(nonatomic_unownedRetainStrong, USE) \
  X(unownedRetainStrongAndRelease, USE) X(nonatomic_unownedRetainStrongAndRelease, USE)
#define WEAK_POINTS(X) X(weakLoadStrong) X(weakTakeStrong) X(weakCopyInit) X(weakAssign)

typedef void *(*any_hook)(const void *, uint64_t, uint64_t);

enum {
#define X(name, side) BEFORE_##name,
  POINTS(X)
#undef X
#define X(name) BEFORE_##name,
  WEAK_POINTS(X)
#undef X
  BEFORE_allocObject,
  BEFORE_deallocObject,
  HOOKS
};
static any_hook next[HOOKS];
static void (*next_release_dealloc)(void *);

/// A guarded object's memory may be gone; only recorded objects are guarded.
static bool is_recorded(const void *pointer) {
  if ((intptr_t)pointer <= 0) return false;
  heap_object *object = object_at(pointer);
  return guard_contains((uint64_t)object) || class_of(object->metadata)->id;
}

// The forms with fewer arguments have other values in these registers, which they do not read.
#define X(name, side)                                                                                                  \
  static void *explored_##name(const void *pointer, uint64_t second, uint64_t third) {                                 \
    if (is_recorded(pointer)) explore_point((uint64_t)object_at(pointer), EXPLORE_##side, CALL_SITE());                \
    TAIL_CALL next[BEFORE_##name](pointer, second, third);                                                             \
  }
POINTS(X)
#undef X

#define X(name)                                                                                                        \
  static void *explored_##name(const void *reference, uint64_t second, uint64_t third) {                               \
    const uint64_t *word = BEFORE_##name == BEFORE_weakCopyInit ? (const uint64_t *)second : reference;                \
    heap_object *target = weak_target(*word);                                                                          \
    if (target) explore_point((uint64_t)target, EXPLORE_USE, CALL_SITE());                                             \
    TAIL_CALL next[BEFORE_##name](reference, second, third);                                                           \
  }
WEAK_POINTS(X)
#undef X

static void *explored_allocObject(const void *metadata, uint64_t second, uint64_t third) {
  if (class_of((uint64_t)metadata)->id) explore_point((uint64_t)metadata, EXPLORE_BIRTH, CALL_SITE());
  TAIL_CALL next[BEFORE_allocObject](metadata, second, third);
}

static void *explored_deallocObject(const void *pointer, uint64_t second, uint64_t third) {
  explore_ended((uint64_t)object_at(pointer));
  TAIL_CALL next[BEFORE_deallocObject](pointer, second, third);
}

static void explored_deinit(void *object) {
  explore_point((uint64_t)object, EXPLORE_DEINIT, CALL_SITE());
  TAIL_CALL next_release_dealloc(object);
}

static const struct { const char *name; any_hook hook; } hooks[HOOKS] = {
#define X(name, side) [BEFORE_##name] = {#name, explored_##name},
    POINTS(X)
#undef X
#define X(name) [BEFORE_##name] = {#name, explored_##name},
    WEAK_POINTS(X)
#undef X
    [BEFORE_allocObject] = {"allocObject", explored_allocObject},
    [BEFORE_deallocObject] = {"deallocObject", explored_deallocObject},
};

void *explore_hook_before(const char *name, void *hook) {
  for (unsigned i = 0; i < HOOKS; i++) {
    if (strcmp(hooks[i].name, name)) continue;
    next[i] = (any_hook)hook;
    return (void *)hooks[i].hook;
  }
  return hook;
}

void explore_deinits(bool on) {
  if (!hook_release_dealloc || on == (hook_release_dealloc == explored_deinit)) return;
  if (on) next_release_dealloc = hook_release_dealloc;
  hook_release_dealloc = on ? explored_deinit : next_release_dealloc;
}
