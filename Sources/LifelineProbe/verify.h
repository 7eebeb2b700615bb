#pragma once
// The comparison that decides whether a backtrace is unchanged: the most executed loop of the recorder.
#include <stdbool.h>
#include <stdint.h>

/// A saved rbp and the return address above it.
typedef struct verify_pair {
  uint64_t rbp, pc;
} __attribute__((aligned(16))) verify_pair;

/// Whether the 16 bytes at each address are still those of its pair.
bool verify_pairs(const void *const *address, const verify_pair *pairs, uint32_t count);
/// Whether the word at each address still has its value.
bool verify_words(const uint64_t *const *address, const uint64_t *value, uint32_t count);
