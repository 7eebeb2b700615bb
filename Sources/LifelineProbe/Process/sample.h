#pragma once
// Which objects are recorded, if not all are. With --sample 1/N each allocation is chosen by chance, and chosen objects
// are remembered until they are freed. With --max-overhead the address decides, so that a smaller sample is a part of
// the one before.
#include <stdbool.h>
#include <stdint.h>

#define SAMPLE_ALL (1ull << 32)
enum { SAMPLE_PLACES = 1 << 18 };

extern uint64_t sample_limit;  // 2^32 / N; it may only decrease while the program runs
extern bool sample_is_remembered;
/// The number of remembered objects at each place; 255 for more, and everywhere if the address decides.
extern uint8_t sample_counts[SAMPLE_PLACES];
extern __thread uint64_t sample_state __attribute__((tls_model("initial-exec")));

/// Forgets all objects, and decides how to choose; false if there is no memory.
bool sample_prepare(void);
/// Whether some objects may not be recorded.
bool sample_wanted(void);
/// N, and how to change it.
uint32_t sample_denominator(void);
void sample_choose(uint32_t denominator);
/// Remembers an object, unless there is no room. Those of a page of the heap are searched one by one.
bool sample_remember(uint64_t object);
void sample_forget(uint64_t object);
bool sample_remembers(uint64_t object);

/// Neighbors have one place or neighboring ones, so a cache line of counts is enough for 4 KiB of objects. The
/// allocator's arenas, 64 MiB apart, have different ones.
static inline uint32_t sample_place(uint64_t object) { return (object >> 6 ^ object >> 9) & (SAMPLE_PLACES - 1); }

/// Whether an object may be in the sample.
static inline bool sample_may_have(const void *pointer) {
  return __builtin_expect(sample_counts[sample_place((uintptr_t)pointer)], 0);
}

/// Whether an object is in the sample; the bits that enums and bridge objects keep in a pointer do not matter.
static inline bool sample_has(const void *pointer) {
  uint64_t object = (uintptr_t)pointer & 0x00FFFFFFFFFFFFF8ull;
  if (!sample_is_remembered) return object * 0x9E3779B97F4A7C15ull >> 32 < sample_limit;
  return sample_may_have(pointer) && sample_remembers(object);
}

/// Whether a new object is in the sample. A linear congruential generator (Knuth's MMIX) for each thread; the address
/// keeps threads apart.
static inline bool sample_chooses(const void *pointer) {
  sample_state = (sample_state ^ (uintptr_t)pointer) * 6364136223846793005ull + 1442695040888963407ull;
  return sample_state >> 32 < sample_limit;
}
