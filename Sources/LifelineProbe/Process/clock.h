#pragma once
// The event clock: the time-stamp counter, since a clock call would cost more than the whole event.
#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ticks(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

static inline uint64_t clock_nanoseconds(clockid_t clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
