#pragma once
// Objects that an unowned(unsafe) tracked reference refers to: their end is detected.
#include <stdint.h>

extern uint32_t watch_count;  // objects watched now

void watch_ended(uint64_t object);
/// Forgets all: the recording has ended.
void watch_end(void);
/// Repairs the table in a forked child.
void watch_begin_child(void);

/// The object's deinit is over.
static inline void watch_deallocated(uint64_t object) {
  if (__builtin_expect(__atomic_load_n(&watch_count, __ATOMIC_RELAXED) != 0, 0)) watch_ended(object);
}
