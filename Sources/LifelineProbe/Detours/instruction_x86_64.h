#pragma once
// Just enough x86-64 decoding to move the first instructions of a function somewhere else.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of the instruction at `code`, or 0 when it is not one this decoder knows for certain.
size_t instruction_length(const uint8_t *code);

/// Where a conditional or unconditional direct jump leads, or NULL for any other instruction.
const uint8_t *instruction_branch_target(const uint8_t *code);

/// Writes instructions to `into` that do, at that place, what the ones at `from` do there, until at least
/// `wanted` source bytes are covered. Returns the source bytes covered, 0 when it cannot be done.
/// `*written` is the size of the copy, at most 64 bytes.
size_t instruction_relocate(const uint8_t *from, size_t wanted, uint8_t *into, size_t *written);
