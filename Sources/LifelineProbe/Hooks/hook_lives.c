// Depth "lives": retains and releases are not recorded. With zombies their entry points are still detoured, for one
// question in a few instructions: is the object dead?
#include "Backtraces/call_site.h"
#include "Detection/zombie.h"
#include "Hooks/hook.h"
#include "Hooks/object.h"

#include <string.h>

#include "lifeline_format.h"

#define COUNTING_ENTRIES(X) \
  X(retain) X(release) X(retain_n) X(release_n) X(tryRetain) \
  X(nonatomic_retain) X(nonatomic_release) X(nonatomic_retain_n) X(nonatomic_release_n)

enum {
#define X(name, access) ENTRY_##name,
  HOOK_OBJECT_ENTRIES(X)
#undef X
};

typedef void *(*retain_function)(void *, uint32_t);
typedef void (*release_function)(void *, uint32_t);

static inline bool is_dead(const void *pointer) {
  return (intptr_t)pointer > 0 && __builtin_expect(zombie_is(object_at(pointer)->metadata), 0);
}

OUT_OF_LINE void *retained_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_retain, 0, 0, CALL_SITE());
  return pointer;
}

OUT_OF_LINE void *tried_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_retain, 0, 0, CALL_SITE());
  return NULL;
}

OUT_OF_LINE void released_dead(void *pointer, uint32_t n) {
  (void)n;
  zombie_report((uint64_t)object_at(pointer), LIFELINE_ACCESS_release, 0, 0, CALL_SITE());
}

// The forms without a count have another value in its register, which they do not read.
#define RETAIN(name, dead)                                                          \
  static void *lives_##name(void *pointer, uint32_t n) {                            \
    if (is_dead(pointer)) TAIL_CALL dead(pointer, n);                                    \
    TAIL_CALL((retain_function)hook_object_table[ENTRY_##name].original)(pointer, n);    \
  }
#define RELEASE(name)                                                               \
  static void lives_##name(void *pointer, uint32_t n) {                             \
    if (is_dead(pointer)) TAIL_CALL released_dead(pointer, n);                           \
    TAIL_CALL((release_function)hook_object_table[ENTRY_##name].original)(pointer, n);   \
  }
RETAIN(retain, retained_dead)
RETAIN(retain_n, retained_dead)
RETAIN(tryRetain, tried_dead)
RETAIN(nonatomic_retain, retained_dead)
RETAIN(nonatomic_retain_n, retained_dead)
RELEASE(release)
RELEASE(release_n)
RELEASE(nonatomic_release)
RELEASE(nonatomic_release_n)

static const struct { const char *name; void *hook; } counting[] = {
#define X(name) {#name, (void *)lives_##name},
    COUNTING_ENTRIES(X)
#undef X
};

void *hook_at_lives(const char *name, void *hook, bool zombies) {
  for (unsigned i = 0; i < sizeof counting / sizeof *counting; i++)
    if (!strcmp(counting[i].name, name)) return zombies ? counting[i].hook : NULL;
  // Weak references and unowned retains say nothing about births and deaths; an unowned release may free.
  bool is_weak = !strncmp(name, "weak", 4);
  bool is_unowned_retain = strstr(name, "nownedRetain") && !strstr(name, "Strong");
  return is_weak || is_unowned_retain ? NULL : hook;
}
