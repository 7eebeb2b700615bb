#pragma once
// The code that the function slots of a zombie's metadata point to.
#include <stdbool.h>
#include <stdint.h>

#include "Backtraces/call_site.h"

enum { ZOMBIE_THUNKS = 8192 };

/// Called when a slot of a zombie's metadata is called with `self`: returns the function to call instead, or 0 to
/// return zero.
typedef uint64_t (*zombie_thunk_answer)(uint64_t self, uint64_t offset, call_site at);

/// Writes the thunks; false when there is no memory for them.
bool zombie_thunk_prepare(zombie_thunk_answer called);
/// The thunk for the function slot `offset` bytes after the address point; 0 is the destructor's.
uint64_t zombie_thunk(uint32_t offset);
