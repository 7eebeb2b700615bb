#pragma once
// Unwind rules for code without an entry, derived from its instructions.
#include <stdbool.h>
#include <stdint.h>

#include "Unwinding/unwind_rule.h"

/// Rule for `pc` in the gap [begin, end) between two entries, and where its function begins; false where nothing can be
/// claimed.
bool unwind_code(const uint8_t *begin, const uint8_t *end, const uint8_t *pc, unwind_rule *rule, unwind_saves *saves,
                 const uint8_t **function);
