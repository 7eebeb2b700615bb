#pragma once
// Objects that an unowned(unsafe) tracked reference leads to: their end is noticed.
#include <stdint.h>

extern uint32_t watch_count;  // objects watched now

void watch_ended(uint64_t object);
/// Makes the table of a forked child whole.
void watch_begin_child(void);

/// The object's deinit is over.
static inline void watch_deallocated(uint64_t object) {
  if (__builtin_expect(__atomic_load_n(&watch_count, __ATOMIC_RELAXED) != 0, 0)) watch_ended(object);
}
