#pragma once
// How a thread enters the recorder, and leaves it.
#include <stdbool.h>
#include <stdint.h>

#include "Async/queue.h"
#include "Async/task.h"
#include "Process/process.h"
#include "Recording/budget.h"
#include "Recording/thread_state.h"

#define THREAD_PAUSED UINT64_MAX  // `busy` of a thread that asked not to be recorded

enum { THREAD_LIMIT = 4096 };

extern __thread thread_state *thread_current __attribute__((tls_model("initial-exec")));

/// The state of the calling thread, ready to record, or NULL if none is available.
/// `stack_pointer` is on the program's current stack of the thread.
thread_state *thread_begin(uint64_t stack_pointer);
/// No thread records anything from here on, whichever entry points still lead to hooks.
void thread_stop_all(void);
/// Ends all streams after thread_stop_all; no thread enters a hook any longer. Memory that one might still write to
/// stays.
void thread_close_all(void);
/// The states of all threads, linked by `next`. They stay valid.
thread_state *thread_all(void);
/// Prepares for threads; called when a recording begins.
void thread_prepare(void);

/// Whether the reader knows that the thread runs a task, or none.
static inline bool thread_is_in_task(const thread_state *t, uint64_t task) {
  return task == t->task && (!task || task_low_number(task) == (uint32_t)t->task_number);
}

/// The same for the dispatch queue whose code it runs.
static inline bool thread_is_in_queue(const thread_state *t, uint64_t queue) {
  return queue == t->queue && (!queue || queue_number(queue) == t->queue_number);
}

/// What thread_enter does where anything has changed since the thread's last event.
thread_state *thread_enter_anew(uint64_t sp);

/// Enters the recorder: NULL when recording is off or this is a signal handler inside a hook.
static inline __attribute__((always_inline)) thread_state *thread_enter(uint64_t sp) {
  thread_state *t = thread_current;
  if (__builtin_expect(!t || !t->ready || t->busy || t->until_measured == 1 || !thread_is_in_task(t, task_current()) ||
                           !thread_is_in_queue(t, queue_current()),
                       0))
    return thread_enter_anew(sp);
  t->busy = sp;
  t->until_measured--;
  __asm__ volatile("" ::: "memory");
  return t;
}

static inline void thread_leave(thread_state *t) {
  __asm__ volatile("" ::: "memory");
  if (__builtin_expect(t->measured_since != 0, 0)) budget_leave(t);
  t->busy = 0;
}
