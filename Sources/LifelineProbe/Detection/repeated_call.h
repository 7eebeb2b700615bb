#pragma once
// Recognizes Unmanaged.release() of unoptimized code, which releases the same object twice in a row.
#include <stdbool.h>

#include "Backtraces/call_site.h"

/// Whether the next thing that the caller of a hook does is the same call again, with the same argument.
bool call_is_repeated(call_site at);
