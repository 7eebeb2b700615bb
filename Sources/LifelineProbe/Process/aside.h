#pragma once
// Stacks of the probe's own. A hook runs on whatever stack the program gives it, which may be an alternate signal stack
// with hardly any room. So all that is rare and needs much runs aside: on another stack, with signals held.
#include <stdbool.h>

/// Reserves the stacks. Without them everything runs where it is called.
void aside_prepare(void);
/// Calls the function on a stack of the probe's own.
void aside(void (*function)(void *argument), void *argument);
