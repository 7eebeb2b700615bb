#pragma once
// Code that the function slots of a zombie's metadata lead to.
#include <stdbool.h>
#include <stdint.h>

enum { ZOMBIE_THUNKS = 8192 };

/// Writes the thunks; false when no memory can be had for them.
bool zombie_thunk_prepare(void);
/// The thunk for the function slot `offset` bytes after the address point; 0 is the destructor's.
uint64_t zombie_thunk(uint32_t offset);
