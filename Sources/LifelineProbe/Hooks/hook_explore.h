#pragma once
// The hooks of an exploration at objects.
#include <stdbool.h>

/// The hook that comes before another one in an exploration; the same hook if it has no point.
void *explore_hook_before(const char *name, void *hook);
/// Adds a point between every final release and the deinit that it causes, or removes it.
void explore_deinits(bool on);
