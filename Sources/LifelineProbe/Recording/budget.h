#pragma once
// --max-overhead: measures the recorder's cost, and makes the sample smaller when it is too high.
#include <stdint.h>

struct thread_state;

enum { BUDGET_EVERY = 64 };  // one entry into the recorder in this many is measured

/// Prepares for it in a process that begins to record.
void budget_prepare(void);
/// An entry that may be measured begins, and ends.
void budget_enter(struct thread_state *t);
void budget_leave(struct thread_state *t);
/// Rare and long work of the recorder is measured each time instead of as part of an entry: the processor time of the
/// calling thread before it, then after it.
uint64_t budget_begin_work(void);
void budget_end_work(struct thread_state *t, uint64_t before);
