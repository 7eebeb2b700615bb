#pragma once
// What happens when the probe itself catches an access: a notice to the user, and the end of the program if the options
// say so.
#include <stdint.h>

#include "Backtraces/call_site.h"

struct class_info;

/// Says the first finding on stderr, and stops the program when the options say so; `access` is LIFELINE_ACCESS_*, `at`
/// the call of a hook that made it, or NULL.
void finding_announce(const char *kind, uint32_t access, const struct class_info *c, uint64_t object, call_site at);
