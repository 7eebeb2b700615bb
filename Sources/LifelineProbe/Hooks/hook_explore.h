#pragma once
// The hooks of an exploration at objects.
#include <stdbool.h>

/// The hook that stands before another one in an exploration; the same hook where it has no point.
void *explore_hook_before(const char *name, void *hook);
/// Puts a point between every final release and the deinit that it causes, or takes it away.
void explore_deinits(bool on);
