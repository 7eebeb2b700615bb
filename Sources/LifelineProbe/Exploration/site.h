#pragma once
// Sites: the places in the code that points are at, under numbers that are the same in every run.
#include <stdint.h>

enum { SITE_KEY_BITS = 22, SITE_LAST_HIT = 255 };

typedef struct site {
  uint64_t place;  // return address and side; 0: free entry
  uint32_t key;    // from 1, below 1 << SITE_KEY_BITS; two sites may share one
  uint32_t hits;   // times that any thread came here
} site;

/// splitmix64 (Steele, Lea, Flood 2014).
static inline uint64_t site_mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

/// Starts counting again.
void site_begin(void);
/// The site of a return address; NULL when there are too many.
site *site_at(uint64_t address, uint32_t side);
