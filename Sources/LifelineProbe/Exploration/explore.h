#pragma once
// Exploration: holds threads back where lifetimes cross, by a schedule. Without a schedule nothing of it is reached:
// its hooks stand before the others only when one was given.
#include <stdbool.h>
#include <stdint.h>

#include "Backtraces/call_site.h"
#include "Exploration/side.h"

/// Starts the schedule of a seed in a running process; `budget` is in microseconds. Seed 0 ends it: no thread is held.
void explore_begin(uint64_t seed, uint64_t budget);
/// A point before something is done to an object: the calling thread may be held back here. Leaves errno alone.
void explore_point(uint64_t object, enum explore_side side, call_site at);
/// A point where threads meet; `object` is what they meet at. It is one only where the program's own code, or a library
/// that it called, calls: its place is the program's innermost frame.
void explore_meeting(uint64_t object, enum explore_side side, call_site at);
/// A point before code runs that nothing on the stack has called yet: its address is the place.
void explore_code(uint64_t code, enum explore_side side, call_site at);
/// The object's deinit is over: threads held back before using it continue shortly.
void explore_ended(uint64_t object);
