#pragma once
// A recording that a signal begins, and the next one ends, in a process that started with the probe.
#include <stdbool.h>

/// Calls `turn`, on a thread of its own, each time the signal comes; false if that is impossible. In a forked child the
/// signal does nothing.
bool toggle_prepare(int signal, const char *options, void (*turn)(void));
/// The options of a recording that it begins.
const char *toggle_options(void);
