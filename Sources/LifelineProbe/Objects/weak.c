#include "Objects/weak.h"

enum { SETS = 4096, WAYS = 8 };

static uint64_t remembered[SETS][WAYS];

static uint64_t *set_of(uint64_t side_table) {
  return remembered[(side_table * 0x9E3779B97F4A7C15ull) >> 52 & (SETS - 1)];
}

heap_object *weak_target(uint64_t side_table) {
  if (!side_table) return 0;
  const uint64_t *set = set_of(side_table);
  for (int i = 0; i < WAYS; i++)
    if (__atomic_load_n(&set[i], __ATOMIC_RELAXED) == side_table) return *(heap_object **)side_table;
  return 0;
}

void weak_remember(uint64_t side_table) {
  uint64_t *set = set_of(side_table);
  for (int i = 0; i < WAYS; i++) {
    uint64_t here = __atomic_load_n(&set[i], __ATOMIC_RELAXED);
    if (here == side_table) return;
    if (!here && __atomic_compare_exchange_n(&set[i], &here, side_table, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
  }
  for (int i = WAYS - 1; i > 0; i--)
    __atomic_store_n(&set[i], __atomic_load_n(&set[i - 1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  __atomic_store_n(&set[0], side_table, __ATOMIC_RELAXED);
}

void weak_forget(uint64_t side_table) {
  uint64_t *set = set_of(side_table);
  for (int i = 0; i < WAYS; i++)
    if (__atomic_load_n(&set[i], __ATOMIC_RELAXED) == side_table) __atomic_store_n(&set[i], 0, __ATOMIC_RELAXED);
}
