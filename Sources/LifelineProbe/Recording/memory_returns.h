#pragma once
// When memory of freed objects can be given out again.
#include <stdint.h>

/// How often memory was returned to the allocator, from the quarantine or past it; counted with zombies only, and
/// before it is returned. Reports of freed objects count, too.
extern uint64_t memory_returns;

static inline void memory_is_returning(void) { __atomic_fetch_add(&memory_returns, 1, __ATOMIC_RELEASE); }

static inline uint64_t memory_returns_now(void) { return __atomic_load_n(&memory_returns, __ATOMIC_ACQUIRE); }
