#pragma once
// Heap objects and their reference counts (swift/shims/RefCount.h), changed as the runtime itself does.
//
//   object: 0 metadata, 8 count word.      Side table: 0 object, 16 count word.
//
//     63    62            33  32         31              1   0
//   ┌─────┬─────────────────┬──────────┬──────────────────┬─────┐
//   │slow │ strong extra    │ deiniting│ unowned          │ pure│
//   └─────┴─────────────────┴──────────┴──────────────────┴─────┘
//   slow = 1: immortal if the low 32 bits are all ones, else the word << 3 is the side table's address.
//   A retain of a word of all ones (nodes of SIL in the compiler have it) carries into the sign bit and leaves
//   0x1FFFFFFFF: such an object is immortal, too, and a release that its count does not cover does nothing.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct heap_object {
  uint64_t metadata;
  uint64_t counts;
} heap_object;

enum { OBJECT_UNREADABLE = -1, OBJECT_IMMORTAL = -2, OBJECT_OVERFLOW = -3, OBJECT_OVER_RELEASED = -4 };

#define OBJECT_STRONG_ONE (1ull << 33)
#define OBJECT_DEINITING (1ull << 32)

/// Strips the spare bits that enums and bridge objects keep in a pointer, as swift_retain does.
static inline heap_object *object_at(const void *pointer) {
  return (heap_object *)((uintptr_t)pointer & 0x00FFFFFFFFFFFFF8ull);
}

/// The word that counts: in the object or in its side table; NULL for an immortal object.
static inline uint64_t *object_counts(heap_object *object) {
  uint64_t word = __atomic_load_n(&object->counts, __ATOMIC_RELAXED);
  if ((int64_t)word >= 0) return &object->counts;
  if ((uint32_t)word == UINT32_MAX) return NULL;
  return (uint64_t *)((word << 3) + 16);
}

/// Strong references that a count word stands for; inside the deinit those beyond the dying one.
static inline int64_t object_strong(uint64_t word) {
  return (int64_t)(word >> 33 & 0x3FFFFFFF) + ((word & OBJECT_DEINITING) ? 0 : 1);
}

static inline int64_t object_count(heap_object *object) {
  uint64_t *counts = object_counts(object);
  return counts ? object_strong(__atomic_load_n(counts, __ATOMIC_RELAXED)) : OBJECT_IMMORTAL;
}

static inline bool object_deiniting(heap_object *object) {
  uint64_t *counts = object_counts(object);
  return counts && (__atomic_load_n(counts, __ATOMIC_RELAXED) & OBJECT_DEINITING);
}

/// Does what swift_retain does for nearly all objects: the counts are in the object and stay there, or the object is
/// immortal. Otherwise it returns false and does nothing.
static inline __attribute__((always_inline)) bool object_retain_plainly(heap_object *object) {
  uint64_t old = __atomic_load_n(&object->counts, __ATOMIC_RELAXED), new;
  do {
    new = old + OBJECT_STRONG_ONE;
    if (__builtin_expect((int64_t)new < 0, 0)) return (uint32_t)old == UINT32_MAX;
  } while (!__atomic_compare_exchange_n(&object->counts, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return true;
}

/// The same for swift_release, where it is not the final one.
static inline __attribute__((always_inline)) bool object_release_plainly(heap_object *object) {
  uint64_t old = __atomic_load_n(&object->counts, __ATOMIC_RELAXED), new;
  do {
    new = old - OBJECT_STRONG_ONE;
    if ((int64_t)new < 0) return (uint32_t)old == UINT32_MAX;
  } while (!__atomic_compare_exchange_n(&object->counts, &old, new, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  return true;
}

/// Makes the final release of an object without a side table; otherwise it returns false and does nothing.
static inline __attribute__((always_inline)) bool object_release_finally(heap_object *object) {
  uint64_t old = __atomic_load_n(&object->counts, __ATOMIC_RELAXED);
  do {
    if (old >> 32) return false;
  } while (!__atomic_compare_exchange_n(&object->counts, &old, old | OBJECT_DEINITING, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  return true;
}

/// Whether a release takes more references than there are. The caller's own reference is among them, so that nothing
/// that another thread does meanwhile makes this true.
static inline bool object_lacks(heap_object *object, uint32_t n) {
  uint64_t *counts = object_counts(object);
  uint64_t word = counts ? __atomic_load_n(counts, __ATOMIC_RELAXED) : UINT64_MAX;
  // A side table was just made, or the object is immortal.
  if ((int64_t)word < 0 || (uint32_t)word == UINT32_MAX) return false;
  return object_strong(word) < n;
}

/// Whether swift_deallocObject would free the memory at once (RefCount.h, canBeFreedNow): no side table, and no unowned
/// reference except the object's own. swift_deallocClassInstance ensures that there is no strong one.
static inline bool object_is_freed_now(const heap_object *object) {
  enum { PURE = 1, UNOWNED_ONE = 2 };
  return (__atomic_load_n(&object->counts, __ATOMIC_RELAXED) & ~(uint64_t)PURE) == (OBJECT_DEINITING | UNOWNED_ONE);
}

/// Adds `n` strong references; the count after it, or a negative reason why the runtime must do it.
static inline int64_t object_retain(heap_object *object, uint32_t n) {
  uint64_t *counts = object_counts(object);
  if (!counts) return OBJECT_IMMORTAL;
  uint64_t old = __atomic_load_n(counts, __ATOMIC_RELAXED), new;
  do {
    if ((int64_t)old < 0) return OBJECT_OVERFLOW;  // a side table was made meanwhile
    new = old + n * OBJECT_STRONG_ONE;
    if ((int64_t)new < 0) return OBJECT_OVERFLOW;
  } while (!__atomic_compare_exchange_n(counts, &old, new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return object_strong(new);
}

/// Takes `n` strong references; 0 means that this was the final release and the deinit is now the
/// caller's duty, `*again` that it was not (a release inside the deinit).
static inline int64_t object_release(heap_object *object, uint32_t n, bool *final) {
  *final = false;
  uint64_t *counts = object_counts(object);
  if (!counts) return OBJECT_IMMORTAL;
  uint64_t old = __atomic_load_n(counts, __ATOMIC_RELAXED), new;
  do {
    if ((int64_t)old < 0) return OBJECT_OVERFLOW;
    uint64_t extra = old >> 33 & 0x3FFFFFFF;
    *final = false;
    if (extra >= n) new = old - n * OBJECT_STRONG_ONE;
    else if ((uint32_t)old == UINT32_MAX) return OBJECT_IMMORTAL;  // retained while the sign bit was set: it overflowed
    else if (!(old & OBJECT_DEINITING) && extra + 1 == n) {
      *final = true;
      new = (old & 0xFFFFFFFFull) | OBJECT_DEINITING;
    } else return OBJECT_OVER_RELEASED;
  } while (!__atomic_compare_exchange_n(counts, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return object_strong(new);
}
