#pragma once
// Hooks: what runs instead of the runtime's entry points.
#include <stdbool.h>
#include <stdint.h>

/// Installs all detours; false when retain, release or allocation could not be detoured. There is no trace yet,
/// so the results are kept for hook_record_all.
bool hook_install(void);
/// Writes the state of every detour to the trace.
void hook_record_all(void);
/// Installs the hooks of an exploration before the others, or removes them, while threads run; false when the kernel
/// refuses. Detours outside of the runtime stay once they are installed.
bool hook_explore(bool on);
/// Exercises the entry points on a made-up object; false unless every hook saw exactly what was done.
bool hook_self_test(void);

/// The access that the hook of an object whose code holds `pc` was called for, or 0.
uint32_t hook_access_at(uint64_t pc);
