#pragma once
// Recognizes Unmanaged.release() of unoptimized code, which retains an object and releases it twice in a row.
#include <stdbool.h>

#include "Backtraces/call_site.h"

/// Whether the next thing that the caller of a hook does is the same call again, with the same argument.
bool call_is_repeated(call_site at);
/// Whether the next two things that the caller of a hook does are the same call, with the same argument.
bool call_precedes_repeated(call_site at);
