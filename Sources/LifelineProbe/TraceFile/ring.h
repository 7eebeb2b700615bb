#pragma once
// --keep: which chunks are discarded, so that others can have their place (lifeline_ring.h).
#include <stdbool.h>
#include <stdint.h>

/// Makes new traces of this process keep only their latest part, if the options say so.
void ring_install(void);
/// Prints notices that could not be printed under a lock.
void ring_tell(void);
