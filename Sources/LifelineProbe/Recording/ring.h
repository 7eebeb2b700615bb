#pragma once
// --keep: which chunks go, so that others can have their place (lifeline_ring.h).
#include <stdbool.h>
#include <stdint.h>

/// Whether this trace keeps only so much.
bool ring_wanted(void);
/// Prepares for it, in a process that begins to record; false when there is no memory.
bool ring_prepare(void);
/// Makes the first chunks of the base line, while there is room for them; false when there is none. The file has its header.
bool ring_begin(void);

/// A mapped, zeroed chunk, in the place of the oldest one or behind all others; NULL after stepping aside. May be called with
/// LOCK_RECORDS kept.
uint8_t *ring_claim(bool is_events);
/// A chunk for the base line, with its header; NULL when there is none. Called while a chunk is folded.
uint8_t *ring_claim_base(uint32_t sort, uint32_t sequence);
/// Nobody writes a chunk of events any more; it is about to be unmapped.
void ring_release(const uint8_t *chunk, uint64_t last_clock);
/// Whether another information chunk may be had for what can be left out.
bool ring_has_room_for_names(uint64_t information_chunks);
/// Says what could not be said under a lock.
void ring_tell(void);
