#pragma once
// What happens when the probe itself catches something: a word to the user, and the program's end if that was asked
// for.
#include <stdint.h>

struct class_info;

/// Says the first finding on stderr, and stops the program when the options say so; `access` is LIFELINE_ACCESS_*.
void finding_announce(const char *kind, uint32_t access, const struct class_info *c, uint64_t object);
