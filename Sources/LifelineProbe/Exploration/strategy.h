#pragma once
// What a seed decides: which points hold their thread, and for how long.
#include <stdbool.h>
#include <stdint.h>

#include "Exploration/side.h"
#include "Exploration/site.h"

/// Microseconds that the schedule of the seed holds a point at most, 0 for most points.
uint64_t strategy_hold(uint64_t object, enum explore_side side, const site *s, uint32_t hit, uint32_t thread);
/// Forgets the state of earlier schedules.
void strategy_begin(void);
