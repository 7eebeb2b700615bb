#pragma once
// Exploration: holds threads back where lifetimes cross, by a schedule. Without a schedule nothing of it is reached:
// its hooks stand before the others only when one was given.
#include <stdint.h>

#include "Backtraces/call_site.h"

/// What is about to happen to an object at a point.
enum explore_side {
  EXPLORE_USE,    // a retain, or a reference that gives one
  EXPLORE_END,    // a release, which may be the final one
  EXPLORE_DEINIT, // its deinit: the final release is over
  EXPLORE_BIRTH,  // it is made: its class stands for the object, which is not there yet
};

/// A point of the schedule: the calling thread may be held back here. Leaves errno alone.
void explore_point(uint64_t object, enum explore_side side, call_site at);
/// The object's deinit is over: whoever was held back before using it goes on in a moment.
void explore_ended(uint64_t object);

/// The hook that stands before another one in an exploration; the same hook where it has no point.
void *explore_hook_before(const char *name, void *hook);
/// Puts a point between every final release and the deinit that it causes.
void explore_deinits(void);
