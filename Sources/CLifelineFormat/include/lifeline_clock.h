#pragma once
// The event clock, for a tool that watches a process on the same machine.
#include <stdint.h>

static inline uint64_t lifeline_clock_now(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}
