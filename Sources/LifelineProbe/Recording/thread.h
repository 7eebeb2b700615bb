#pragma once
// How a thread enters the recorder, and leaves it.
#include <stdbool.h>
#include <stdint.h>

#include "Async/task.h"
#include "Process/process.h"
#include "Recording/budget.h"
#include "Recording/thread_state.h"

#define THREAD_PAUSED UINT64_MAX  // `busy` of a thread that asked not to be recorded

enum { THREAD_LIMIT = 4096 };

extern __thread thread_state *thread_current __attribute__((tls_model("initial-exec")));

/// The state of the calling thread, ready to record, or NULL when it cannot be had.
/// `stack_pointer` lies on the stack that the program gave the thread now.
thread_state *thread_begin(uint64_t stack_pointer);
/// Writes down that the thread runs another task from here on, or none.
void thread_change_task(thread_state *t, uint64_t task);
/// Ends all streams; the recording has stopped, and no thread comes into a hook any more. Memory that one might still
/// write to stays.
void thread_close_all(void);
/// Prepares for threads; called when a recording begins.
void thread_prepare(void);

/// Enters the recorder: NULL when recording is off or this is a signal handler inside a hook.
static inline thread_state *thread_enter(uint64_t sp) {
  thread_state *t = thread_current;
  if (__builtin_expect(!t || !t->ready, 0)) {
    t = thread_begin(sp);
    if (!t) return NULL;
  }
  if (__builtin_expect(t->busy != 0, 0)) {
    if (t->busy == THREAD_PAUSED) return NULL;
    // A signal handler interrupted the recorder: its events are counted, not recorded. A longjmp out of
    // one leaves `busy` behind; then the stack has been unwound past that hook.
    bool same_stack = sp >= t->stack.low && sp < t->stack.high && t->busy >= t->stack.low && t->busy < t->stack.high;
    if (!same_stack || sp <= t->busy) {
      process_count(LIFELINE_COUNTER_lostNested);
      return NULL;
    }
    t->cursor = t->limit;  // what was half written ends the chunk
  }
  t->busy = sp;
  if (__builtin_expect(--t->until_measured == 0, 0)) budget_enter(t);
  uint64_t task = task_current();
  if (__builtin_expect(task != t->task || (task && task_low_number(task) != (uint32_t)t->task_number), 0))
    thread_change_task(t, task);
  __asm__ volatile("" ::: "memory");
  return t;
}

static inline void thread_leave(thread_state *t) {
  __asm__ volatile("" ::: "memory");
  if (__builtin_expect(t->measured_since != 0, 0)) budget_leave(t);
  t->busy = 0;
}
