#pragma once
// What the recorder keeps per thread. One thread-local pointer leads here; the pages are the kernel's own
// and read as zero in a forked child, which is how a child notices that it is one.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/backtrace.h"
#include "lifeline_format.h"
#include "Recording/quarantine_batch.h"

enum { SITE_SLOTS = 8192 };

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
  uint32_t until_measured;  // entries until the next one that is measured (budget.h)
  uint64_t measured_since;  // event clock, 0 when this one is not

  // Encoder (event.c)
  uint8_t *cursor, *limit;  // next byte of the current chunk, and where it may be written to for now
  uint8_t *chunk, *end;
  uint64_t last_clock;
  uint64_t returns;  // memory_returns just before that clock was read
  uint64_t last_object;
  uint32_t last_kind;
  uint64_t last_site;
  uint32_t quiet;    // events that may still go without a time; 0 also when a chunk or a thread begins
  volatile uint64_t *uninterrupted;  // 0 there: the next event needs a time (interruption.h)
  uint64_t always;                   // what that is if the kernel does not tell
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
  uint64_t queue;        // address of the dispatch queue whose code this thread was running at its last event
  uint32_t queue_number;  // its number; another queue may get its address
  uint32_t queue_label;   // what the reader knows: the string record of its label, if it is serial

  uint32_t stream;
  uint32_t chunk_number;
  uint64_t sequence;

  uint64_t freeing;      // the object whose memory the runtime is about to give back …
  call_site freeing_at;  // … and who asked for it
  quarantine_batch quarantine;

  uint64_t retained_zombie;  // the freed object that it retained, but did not use otherwise (finding.c)
  uint64_t faulted;          // the freed object whose retain or release just reported a guard page (guard.c)

  struct thread_state **variable;  // the thread's `thread_current`, NULL when it has given this back
  uint32_t recording;  // the recording of the process (process.h) that all of this belongs to
  struct thread_state *next_free;
  struct thread_state *next;  // of all that there are
  backtrace stack;
} thread_state;
