#pragma once
// Unwind rules: how to get from a frame to its caller, from .eh_frame, cached by program counter.
#include <stdbool.h>
#include <stdint.h>

#include "Unwinding/unwind_rule.h"

enum { UNWIND_CACHE_SLOTS = 16384, UNWIND_CACHE_WAYS = 4 };

/// Lock-free: `key` is the look-up key ^ rule, so that a torn pair matches no key (as in chess hash tables).
extern struct unwind_cached {
  uint64_t key, rule;
} unwind_cache[UNWIND_CACHE_SLOTS];
extern uint64_t unwind_generation;  // mixed into keys; changes when cached rules become void

static inline struct unwind_cached *unwind_cache_slot(uint64_t pc) {
  return &unwind_cache[(pc ^ pc >> 14) & (UNWIND_CACHE_SLOTS - 1)];
}

static inline uint64_t unwind_cache_key(uint64_t pc, bool is_return_address) {
  return (pc << 1 | is_return_address) ^ __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
}

/// Looks at the other entries of the cache line, then into the tables.
unwind_rule unwind_find_elsewhere(uint64_t pc, bool is_return_address);

/// Rule for the frame whose code is at `pc`; a return address is looked up one byte earlier.
static inline __attribute__((always_inline)) unwind_rule unwind_find(uint64_t pc, bool is_return_address) {
  const struct unwind_cached *slot = unwind_cache_slot(pc);
  unwind_rule rule = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED);
  if ((__atomic_load_n(&slot->key, __ATOMIC_RELAXED) ^ rule) == unwind_cache_key(pc, is_return_address) && rule)
    return rule;
  return unwind_find_elsewhere(pc, is_return_address);
}
/// Drops all cached rules, after an image was unloaded.
void unwind_forget(void);

/// The saved registers of the frame whose code is at `pc`; cached too.
unwind_saves unwind_find_saves(uint64_t pc, bool is_return_address);
/// Sets the address range of the runtime for asynchronous functions.
void unwind_set_async_runtime(uint64_t address);
/// The function whose code is at `pc`; false when its extent is not known.
bool unwind_function(uint64_t pc, bool is_return_address, const uint8_t **begin, const uint8_t **end);
