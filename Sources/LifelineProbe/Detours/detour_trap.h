#pragma once
// Threads interrupted inside the instructions that a detour replaces: they resume at a trap, whose handler redirects
// them to the copy of the instructions.
//
// The highest byte of a jump's displacement decides how far away its stub is. Where it must be a trap, several are
// possible, since the memory at one distance may be taken, as by the arenas of a program with many threads.
#include <stdbool.h>
#include <stdint.h>

enum { DETOUR_INT3 = 0xCC };

/// The bytes that are traps as the first of an instruction, by number; 0 after the last. Only the first, `int3`, raises
/// SIGTRAP; the others are instructions that 64-bit code lacks, and raise SIGILL.
uint8_t detour_trap_byte(unsigned number);
bool detour_trap_is(uint8_t byte);

/// Handles traps from now on; must be called before detours are installed in a process that has threads.
bool detour_trap_begin(void);
/// Whether traps are handled, so that there may be threads.
bool detour_trap_is_on(void);
/// Restores the signals' actions when all detours are removed, unless a thread is about to get one or the program has
/// set its own.
void detour_trap_end(void);
/// A trap will be put at `entry + i + 1` for each byte i of the mask that is not zero, as part of the displacement of a
/// jump; false when it could not be handled.
bool detour_trap_add(const uint8_t *entry, uint32_t mask, uint32_t displacement, const uint8_t *copy);
