#pragma once
// Which dispatch queue's code a thread is running: libdispatch has the queue in a thread-local word.
#include "Async/thread_local_word.h"

/// Offset of that word from the thread's control block; until it is known, that of our own word that is always 0.
extern int64_t queue_offset;

/// Address of the queue whose code the calling thread is running; 0 when it runs none.
static inline uint64_t queue_current(void) { return thread_local_word(queue_offset); }

/// The low half of a queue's number, which is unique in the process (libdispatch's queue_internal.h, dq_serialnum).
static inline uint32_t queue_number(uint64_t queue) { return *(const uint32_t *)(queue + 64); }

/// The string record of the label of the serial queue on which a queue's code runs; 0 for a concurrent one, for one
/// without a label, and for those beyond the first few hundred labels of the process.
uint32_t queue_label(uint64_t queue);

/// Finds the word; called once by the constructor. Without libdispatch, or with one of another form, there are none.
void queue_prepare(void);
/// A trace begins, and has no labels yet.
void queue_begin_trace(void);
