#pragma once
// Depth "lives".
#include <stdbool.h>

/// What replaces a hook at depth "lives"; NULL when its entry point is left alone.
void *hook_at_lives(const char *name, void *hook, bool zombies);
