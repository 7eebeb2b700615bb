#pragma once
// The probe's own stacks. A hook runs on the program's current stack, which may be an alternate signal stack with
// hardly any room. So rare work that needs much stack runs aside: on another stack, with signals blocked.
#include <stdbool.h>

/// Reserves the stacks. Without them everything runs on the caller's stack.
void aside_prepare(void);
/// Calls the function on one of the probe's own stacks.
void aside(void (*function)(void *argument), void *argument);
