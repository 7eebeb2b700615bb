#pragma once
// Reads a chunk whose events are discarded, and applies them to the base line.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Memory for it; false when there is none.
bool fold_prepare(void);
/// Begins to apply the events of a chunk that is no longer written. All of this is called under LOCK_RING.
void fold_begin(const uint8_t *chunk);
/// Applies those in the next `bytes` bytes, or a few more; false when all are applied.
bool fold_some(size_t bytes, uint32_t frames, bool keeps_ends);
/// The number of events so far.
uint32_t fold_events(void);
