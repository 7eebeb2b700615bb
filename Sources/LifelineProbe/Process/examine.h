#pragma once
// The look at the heap when the process ends: `lifeline` takes it from outside, the process only asks and waits.
#include <stdint.h>

/// Asks once; returns when the process has been looked at, or when that is impossible.
void examine_ask(uint64_t stack_pointer);
