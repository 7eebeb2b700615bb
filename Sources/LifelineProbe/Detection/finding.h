#pragma once
// What happens when the probe itself catches an access: a notice to the user, and the end of the program if the options
// say so.
#include <stdint.h>

struct class_info;

/// Reports the first finding on stderr, and stops the program if the options say so; `access` is LIFELINE_ACCESS_*.
void finding_announce(const char *kind, uint32_t access, const struct class_info *c, uint64_t object);
