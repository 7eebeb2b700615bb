#pragma once
// Threads that stand inside the instructions that a detour replaces: where they go on is a trap now, and its handler
// sends them to the copy of the instructions.
#include <stdbool.h>
#include <stdint.h>

/// From here on traps are handled: to be called before detours are installed in a process that has threads.
bool detour_trap_begin(void);
/// Gives the signal back when all detours are removed, unless a thread is about to get it or the program has taken it.
void detour_trap_end(void);
/// A trap was put at `entry + i + 1` for each byte i of the mask that is not zero.
void detour_trap_add(const uint8_t *entry, uint32_t mask, const uint8_t *copy);
