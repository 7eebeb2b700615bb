#pragma once
// Reads a chunk whose events are discarded, and applies them to the base line.
#include <stdbool.h>
#include <stdint.h>

/// Memory for it; false when there is none.
bool fold_prepare(void);
/// Applies the events of a chunk that is no longer written; returns how many. Called under LOCK_RING.
uint32_t fold_chunk(const uint8_t *chunk, uint32_t frames, bool keeps_ends);
