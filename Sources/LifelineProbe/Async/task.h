#pragma once
// Which asynchronous task a thread is running: the runtime has it in a thread-local word.
#include "Async/thread_local_word.h"

/// Offset of that word from the thread's control block; until it is known, that of our own word that is always 0.
extern int64_t task_offset;
/// Whether that word is known.
extern bool task_is_known;

/// Address of the task that the calling thread is running; 0 when it runs none.
static inline uint64_t task_current(void) { return thread_local_word(task_offset); }

/// The low half of a task's number, at the same place in every job (swift/ABI/Task.h, Job::Id).
static inline uint32_t task_low_number(uint64_t task) { return *(const uint32_t *)(task + 36); }

/// The number that the runtime gave a task: unique in the process, from 1.
uint64_t task_number(uint64_t task);
/// Finds the word; called once by the constructor. Without a runtime for tasks there are none.
void task_prepare(void);
