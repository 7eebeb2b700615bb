#pragma once
// Exploration: holds threads where lifetimes cross, by a schedule. Without a schedule none of it runs: its hooks are
// installed before the others only with a schedule.
#include <stdbool.h>
#include <stdint.h>

#include "Backtraces/call_site.h"
#include "Exploration/side.h"

/// Starts the schedule of a seed in a running process; `budget` is in microseconds. Seed 0 ends it: no thread is held.
void explore_begin(uint64_t seed, uint64_t budget);
/// A point before an operation on an object: the calling thread may be held here. Preserves errno.
void explore_point(uint64_t object, enum explore_side side, call_site at);
/// A point where threads meet; `object` is what they meet at. It is a point only if the program's code, or a library
/// that it called, calls: its place is the program's innermost frame.
void explore_meeting(uint64_t object, enum explore_side side, call_site at);
/// A point before code runs that nothing on the stack has called yet: its address is the place.
void explore_code(uint64_t code, enum explore_side side, call_site at);
/// The object's deinit is over: threads held back before using it continue shortly.
void explore_ended(uint64_t object);
