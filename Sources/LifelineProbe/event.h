#pragma once
// Encodes events into the current chunk of a thread's stream (lifeline_event.h).
#include <stdint.h>

#include "thread.h"

enum { EVENT_NO_COUNT = -1 };

/// Writes one event. `count` is the strong count after it, or EVENT_NO_COUNT for kinds without one and
/// counts that could not be read. `change` is what the kind adds to a predicted count.
void event_write(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                 call_site at, const uint64_t *arguments, uint32_t argument_count);
/// The same for the two most frequent kinds.
void event_retain(thread_state *t, uint64_t object, int64_t count, call_site at);
void event_release(thread_state *t, uint64_t object, int64_t count, call_site at);
/// One event of an instruction that faulted; `context` is the ucontext_t of its signal.
void event_write_at_fault(thread_state *t, enum lifeline_event_kind kind, uint64_t object, const void *context,
                          const uint64_t *arguments, uint32_t argument_count);
/// The stream now belongs to the thread `t->number`.
void event_thread(thread_state *t);
/// Completes the open chunk.
void event_flush(thread_state *t);
