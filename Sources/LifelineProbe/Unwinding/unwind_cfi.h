#pragma once
// Unwind rules from call frame information; `header` is an image's .eh_frame_hdr.
#include <stdbool.h>
#include <stdint.h>

#include "Unwinding/unwind_rule.h"

/// Rule for an instruction address, and the function [begin, end) of its entry; false when there is no entry for it.
bool unwind_cfi(const uint8_t *header, uint64_t address, unwind_rule *rule, unwind_saves *saves, uint64_t *begin,
                uint64_t *end);
/// The function of the entry that covers `address`; false when there is none.
bool unwind_cfi_function(const uint8_t *header, uint64_t address, uint64_t *begin, uint64_t *end);
/// The code around `address` that no entry covers; false when the table cannot be read.
bool unwind_cfi_gap(const uint8_t *header, uint64_t address, uint64_t *begin, uint64_t *end);
