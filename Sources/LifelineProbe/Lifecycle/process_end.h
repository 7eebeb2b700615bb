#pragma once
// The one place where the end of this process is noticed, however it ends: return, exit, _exit, quick_exit, exec. A
// signal that ends it leaves no time; the process that waits for it sees the signal.
#include <stdint.h>

/// Asks libc to tell the exit status, and finds the functions whose place this file takes.
void process_end_prepare(void);
/// Writes the time into the trace's header, when the destructors run.
void process_end_finish(void);
