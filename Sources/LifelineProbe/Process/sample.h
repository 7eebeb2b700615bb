#pragma once
// --sample 1/N: which objects are recorded, by their addresses alone.
#include <stdbool.h>
#include <stdint.h>

#define SAMPLE_ALL (1ull << 32)

extern uint64_t sample_limit;  // 2^32 / N; it may only decrease while the program runs

/// Whether some objects may not be recorded.
bool sample_wanted(void);
/// N, and how to change it.
uint32_t sample_denominator(void);
void sample_choose(uint32_t denominator);

/// Whether an object is in the sample; the bits that enums and bridge objects keep in a pointer do not matter.
static inline bool sample_has(const void *pointer) {
  return ((uintptr_t)pointer & 0x00FFFFFFFFFFFFF8ull) * 0x9E3779B97F4A7C15ull >> 32 < sample_limit;
}
