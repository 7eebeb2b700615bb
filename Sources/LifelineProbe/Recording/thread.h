#pragma once
// What the recorder keeps per thread. One thread-local pointer leads here; the pages are the kernel's own
// and read as zero in a forked child, which is how a child notices that it is one.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/backtrace.h"
#include "lifeline_format.h"
#include "Async/task.h"
#include "Process/process.h"
#include "Detection/zombie.h"

#define THREAD_PAUSED UINT64_MAX  // `busy` of a thread that asked not to be recorded

enum { SITE_SLOTS = 8192, THREAD_LIMIT = 4096 };

/// An entry of the object cache (lifeline_event.h). `true_count` is what the count really is; the format
/// leaves it at 0 for an object that was only allocated so far.
typedef struct cached_object {
  uint64_t address;
  union {
    struct { uint32_t count, true_count; };
    uint64_t counts;  // both
  };
} cached_object;

/// An entry of the prediction table (lifeline_event.h).
typedef struct prediction {
  uint64_t version;  // unique among all that were learned; 0: nothing learned in this chunk
  uint32_t pops, pushes;
  uint64_t words[LIFELINE_PREDICTED_SITES];
} prediction;

typedef struct thread_state {
  uint32_t ready;   // 0: fresh or in a forked child
  uint32_t number;  // record number of the thread
  uint64_t busy;    // stack pointer of the hook that is at work, 0 when none is

  // Encoder (event.c)
  uint8_t *cursor, *limit;  // next byte and end of the current chunk
  uint8_t *chunk;
  uint64_t last_clock;
  uint64_t last_object;
  uint32_t last_kind;
  uint64_t last_site;
  uint32_t quiet;    // events that may still go without a time; 0 also when a chunk or a thread begins
  uint32_t events;
  uint32_t sites;    // defined in this chunk
  bool stack_known;  // the reader knows the backtrace of the event before
  cached_object objects[LIFELINE_OBJECT_CACHE_SIZE];
  struct {
    uint64_t word;
    uint32_t id, chunk;  // valid while `chunk` is that of the stream
  } site_table[SITE_SLOTS];

  uint64_t learned;  // version of the prediction made last
  prediction predictions[LIFELINE_PREDICTION_SLOTS];

  uint64_t task;         // address of the task that the reader knows this thread to be running
  uint64_t task_number;  // its number; another task may get its address

  uint32_t stream;
  uint32_t chunk_number;
  uint64_t sequence;

  uint64_t freeing;      // the object whose memory the runtime is about to give back …
  call_site freeing_at;  // … and who asked for it
  // Freed objects on their way into the quarantine (zombie.c)
  uint32_t zombie_count;
  zombie_memory zombies[ZOMBIE_BATCH];

  uint64_t retained_zombie;  // the freed object that it retained and has done nothing else to (finding.c)

  struct thread_state *next_free;
  backtrace stack;
} thread_state;

extern __thread thread_state *thread_current __attribute__((tls_model("initial-exec")));

/// The state of the calling thread, ready to record, or NULL when it cannot be had.
thread_state *thread_begin(void);
/// Writes down that the thread runs another task from here on, or none.
void thread_change_task(thread_state *t, uint64_t task);
/// Prepares for threads; called once by the constructor.
void thread_prepare(void);

/// Enters the recorder: NULL when recording is off or this is a signal handler inside a hook.
static inline thread_state *thread_enter(uint64_t sp) {
  thread_state *t = thread_current;
  if (__builtin_expect(!t || !t->ready, 0)) {
    t = thread_begin();
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
  uint64_t task = task_current();
  if (__builtin_expect(task != t->task || (task && task_low_number(task) != (uint32_t)t->task_number), 0)) thread_change_task(t, task);
  __asm__ volatile("" ::: "memory");
  return t;
}

static inline void thread_leave(thread_state *t) {
  __asm__ volatile("" ::: "memory");
  t->busy = 0;
}
