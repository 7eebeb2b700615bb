#pragma once
// --max-overhead: what the recorder costs, and a smaller sample when that is too much.
#include <stdint.h>

struct thread_state;

enum { BUDGET_EVERY = 64 };  // one of so many entries into the recorder is measured

/// Prepares for it in a process that begins to record.
void budget_prepare(void);
/// An entry that may be measured begins, and ends.
void budget_enter(struct thread_state *t);
void budget_leave(struct thread_state *t);
/// What the recorder does rarely, and takes long, is measured each time and not as a part of an entry: the processor
/// time of the calling thread before it, then after it.
uint64_t budget_begin_work(void);
void budget_end_work(struct thread_state *t, uint64_t before);
