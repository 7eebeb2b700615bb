#pragma once
// The one place where the end of this process is detected, however it ends: return, exit, _exit, quick_exit, exec. If a
// signal kills it, only the process that waits for it can see that.
#include <stdint.h>

/// Asks libc for the exit status, and finds the functions that this file replaces.
void process_end_prepare(void);
/// Writes the time into the trace's header, when the destructors run.
void process_end_finish(void);
