#pragma once
// --keep: which chunks are discarded, so that others can have their place (lifeline_ring.h).
#include <stdbool.h>
#include <stdint.h>

/// Makes new traces of this process keep only their latest part, if the options say so.
void ring_install(void);
/// Whether this trace is one.
bool ring_is_used(void);

enum { RING_STEP = 8192 };  // bytes that a thread writes between two calls of ring_fold_ahead

/// Folds a part of the oldest chunk if there is no room for another one: that takes a fraction of a millisecond, where
/// the whole would take one or two. Called aside.
void ring_fold_ahead(void);
/// Prints notices that could not be printed under a lock.
void ring_tell(void);
