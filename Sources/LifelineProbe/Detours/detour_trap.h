#pragma once
// Threads interrupted inside the instructions that a detour replaces: they resume at a trap, whose handler redirects
// them to the copy of the instructions.
#include <stdbool.h>
#include <stdint.h>

/// Handles traps from now on; must be called before detours are installed in a process that has threads.
bool detour_trap_begin(void);
/// Restores the signal's action when all detours are removed, unless a thread is about to get it or the program has set
/// its own.
void detour_trap_end(void);
/// A trap was put at `entry + i + 1` for each byte i of the mask that is not zero.
void detour_trap_add(const uint8_t *entry, uint32_t mask, const uint8_t *copy);
