#pragma once
// What a traced program may call. It is found with dlsym(NULL, …) and is absent when nothing is recorded.
#include "lifeline_calls.h"

#define X(result, name, parameters) result lifeline_##name parameters;
LIFELINE_CALLS(X)
#undef X
