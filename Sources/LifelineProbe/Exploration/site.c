#include "Exploration/site.h"

#include <stddef.h>

#include "Unwinding/image.h"

enum { SLOTS = 16384, TRIES = 64 };

static site table[SLOTS];  // hash table with linear probing; entries are never removed

/// The address of an image changes from run to run; the place within it does not.
static uint32_t key_of(uint64_t address, uint32_t side) {
  const image *in = image_known(address);
  uint64_t within = in ? address - in->bias : address & 0xFFF;
  uint32_t key = (uint32_t)(site_mix(within ^ (uint64_t)side << 56) >> (64 - SITE_KEY_BITS));
  return key ? key : 1;
}

void site_begin(void) {
  for (uint32_t slot = 0; slot < SLOTS; slot++) __atomic_store_n(&table[slot].hits, 0, __ATOMIC_RELAXED);
}

site *site_at(uint64_t address, uint32_t side) {
  uint64_t place = address | (uint64_t)(side + 1) << 56;
  uint32_t slot = (uint32_t)(site_mix(place) >> 40) & (SLOTS - 1);
  for (uint32_t tries = 0; tries < TRIES; tries++, slot = (slot + 1) & (SLOTS - 1)) {
    site *s = &table[slot];
    uint64_t here = __atomic_load_n(&s->place, __ATOMIC_ACQUIRE);
    if (!here) {
      // Its key is the same whichever thread writes it.
      if (__atomic_compare_exchange_n(&s->place, &here, place, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) here = place;
    }
    if (here != place) continue;
    if (!__atomic_load_n(&s->key, __ATOMIC_RELAXED)) __atomic_store_n(&s->key, key_of(address, side), __ATOMIC_RELAXED);
    return s;
  }
  return NULL;
}
