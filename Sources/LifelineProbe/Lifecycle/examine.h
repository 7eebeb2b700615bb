#pragma once
// The examination of the heap when the process ends: `lifeline` makes it from outside; the process only asks and waits.
#include "Backtraces/call_site.h"

/// Asks once, for the function that was called at `at`; returns when the process has been examined, or when that is
/// impossible.
void examine_ask(call_site at);
