#pragma once
// Whether a thread left its processor for a while, as when it waited: then its last known time may be long ago.
#include <stdbool.h>
#include <stdint.h>

/// Finds out whether the kernel tells. Call it before the first thread begins.
void interruption_prepare(void);
/// What the kernel sets to 0 when it takes the calling thread off its processor, or sends it a signal; `otherwise` if
/// it does not tell.
volatile uint64_t *interruption_word(uint64_t *otherwise);

/// A restartable sequence (rseq(2)) of no instructions.
extern struct interruption_sequence {
  uint32_t version, flags;
  uint64_t start, length, abort;
} interruption_nothing;

/// Whether the thread may have been off its processor since `interruption_forget`.
static inline __attribute__((always_inline)) bool interruption_since(volatile uint64_t *word) { return *word == 0; }
static inline void interruption_forget(volatile uint64_t *word) { *word = (uint64_t)&interruption_nothing; }
