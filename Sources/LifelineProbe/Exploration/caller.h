#pragma once
// Which code of the program a call came from, if libraries are in between.
#include <stdbool.h>
#include <stdint.h>

#include "Backtraces/call_site.h"
#include "Recording/thread_state.h"

/// Whether the call comes from a library that is made of such calls itself: libc, libdispatch, the Swift runtime.
bool caller_is_inner(call_site at);
/// The same, but the runtime of tasks counts as the program: it calls on behalf of the program.
bool caller_is_below_tasks(call_site at);
/// The return address of the innermost frame that belongs to the program; 0 when there is none.
uint64_t caller_in_program(const thread_state *t, call_site at);
/// Whether an address lies in code of the program.
bool caller_is_program(uint64_t address);
