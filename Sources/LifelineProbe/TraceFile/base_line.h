#pragma once
// What is known of objects whose events were discarded (lifeline_ring.h). All functions are called under LOCK_RING.
#include <stdbool.h>
#include <stdint.h>

#include "lifeline_format.h"

/// Provides a chunk with its header for one sort of entries, and its number in that sort; NULL when there is none, and,
/// unless it is needed, when the file would become larger than requested.
typedef uint8_t *base_line_claim(uint32_t sort, uint32_t sequence, bool is_needed);

/// Reserves memory for `chunks` chunks at most; false when there is none.
bool base_line_prepare(uint32_t chunks, base_line_claim *claim);
/// Makes the first chunk of each sort that a fold needs; false when that is impossible.
bool base_line_begin(void);
/// Has no more than this many chunks from now on, or no more than it has already.
void base_line_limit(uint32_t chunks);
/// Forgets freed objects that no event from `clock` on can refer to, when there are many; without room, others as well.
void base_line_sweep(uint64_t clock);

/// Prefetch for a lookup of an address soon, then very soon: first the memory that is needed first, then the rest.
void base_line_fetch(uint64_t address);
void base_line_expect(uint64_t address);
/// What is known of an address, or NULL. The entry is valid until the next sweep, which an addition may need.
lifeline_base_object *base_line_find(uint64_t address);
/// Adds an object at an unknown address; false when there is no room.
bool base_line_add(const lifeline_base_object *object);
/// The end of an object whose allocation is not known yet could not be noted.
void base_line_forget(uint64_t clock);
/// Whether an unknown object that was allocated before `clock` may have ended.
bool base_line_forgot_end(uint64_t clock);
/// Whether an unknown object that was used before `clock` may have ended.
bool base_line_forgot_object(uint64_t clock);
/// The node of `word` inside of `caller`; `caller` when there is no room.
uint32_t base_line_node(uint32_t caller, uint64_t word);
/// Counts an object of a class; gives how many were allocated so far.
uint64_t base_line_allocated(uint32_t class_id);
void base_line_add_finding(const lifeline_base_finding *finding);

/// Commits the fold of a chunk: its totals are valid from now on. Everything else can be unfinished when the process is
/// killed.
void base_line_commit(uint32_t slot, uint32_t events);
