#pragma once
// --keep: which chunks go, so that others can have their place (lifeline_ring.h).
#include <stdbool.h>
#include <stdint.h>

/// Has traces that this process begins from now on keep only so much, if that is wanted.
void ring_install(void);
/// Says what could not be said under a lock.
void ring_tell(void);
