#define _GNU_SOURCE
#include "Recording/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Objects/class.h"
#include "Process/aside.h"
#include "Process/lock.h"
#include "Process/memory.h"
#include "Recording/event.h"
#include "Recording/interruption.h"
#include "TraceFile/record.h"
#include "TraceFile/trace_file.h"
#include "Unwinding/image.h"

__thread thread_state *thread_current __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static bool has_key;

/// Streams of ended threads, for later ones, and all states; in a page that a forked child sees empty.
static struct pool {
  thread_state *free, *all;
} *pool;

static void read_name(char name[16]) {
  memset(name, 0, 16);
  prctl(PR_GET_NAME, name);
}

/// Runs when a thread ends. Other destructors may still use Swift objects: wait for the last round.
static void end_thread(void *value) {
  uintptr_t round = (uintptr_t)value;
  if (round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, (void *)(round + 1));
    return;
  }
  thread_state *t = thread_current;
  thread_current = NULL;
  if (!t || !t->recording) return;
  t->variable = NULL;
  if (t->ready && process_recording()) {
    char name[16];
    read_name(name);
    record_thread_name(t->number, name);
    record_thread_end(t->number);
  }
  lock_take(LOCK_THREADS);
  t->next_free = pool->free;
  pool->free = t;
  lock_drop(LOCK_THREADS);
}

static bool is_ended;  // what happens from then on is not lost

void thread_prepare(void) {
  is_ended = false;
  interruption_prepare();
  if (!has_key) has_key = pthread_key_create(&key, end_thread) == 0;
  if (!pool) pool = memory_pages(4096, true);
}

static thread_state *take(void) {
  lock_take(LOCK_THREADS);
  thread_state *t = pool->free;
  if (t) pool->free = t->next_free;
  lock_drop(LOCK_THREADS);
  return t;
}

/// The state of a thread that has ended but kept it, since it first recorded when our destructor could no longer run in
/// the last round: this thread's variables lie where those of the other one were. NULL if there is none.
static thread_state *take_left(void) {
  lock_take(LOCK_THREADS);
  thread_state *t = pool->all;
  while (t && t->variable != &thread_current) t = t->next;
  lock_drop(LOCK_THREADS);
  if (!t || t->recording != the_process->recording) return t;
  record_thread_end(t->number);
  if (t->busy) t->cursor = t->limit = t->end;  // it was cancelled in a hook: an unfinished event ends the chunk
  return t;
}

/// A state that is fresh, or of an earlier recording, belongs to this one.
static void renew(thread_state *t) {
  if (!t->recording) {
    lock_take(LOCK_THREADS);
    t->next = pool->all;
    pool->all = t;
    lock_drop(LOCK_THREADS);
  }
  // Detached from its file by thread_close_all; only its thread knew when it no longer needed it.
  if (t->chunk) munmap(t->chunk, LIFELINE_DEFAULT_CHUNK_SIZE);
  t->chunk = t->cursor = t->limit = t->end = NULL;
  t->stream = 0;
  t->sequence = 0;
  t->freeing = 0;
  t->recording = the_process->recording;
}

thread_state *thread_all(void) {
  if (!pool) return NULL;
  lock_take(LOCK_THREADS);
  thread_state *all = pool->all;
  lock_drop(LOCK_THREADS);
  return all;
}

void thread_stop_all(void) {
  __atomic_store_n(&is_ended, true, __ATOMIC_SEQ_CST);
  for (thread_state *t = thread_all(); t; t = t->next) __atomic_store_n(&t->ready, 0, __ATOMIC_SEQ_CST);
}

void thread_close_all(void) {
  enum { PATIENCE = 500 /* milliseconds for all together */ };
  int left = PATIENCE;
  for (thread_state *t = thread_all(); t; t = t->next) {
    uint64_t busy;
    while ((busy = __atomic_load_n(&t->busy, __ATOMIC_ACQUIRE)) && busy != THREAD_PAUSED && left-- > 0) usleep(1000);
    uint8_t *chunk = t->chunk;
    // If a thread is delayed in the middle of an event, the reader finds how far it got.
    if (!chunk || t->recording != the_process->recording || (busy && busy != THREAD_PAUSED)) continue;
    if (t->cursor < t->end) trace_file_seal_in_use(chunk, (uint32_t)(t->cursor - chunk), t->events, t->last_clock);
    else trace_file_cut(chunk, LIFELINE_DEFAULT_CHUNK_SIZE);
  }
}

/// Runs with signals blocked: a handler sees a thread that has either started or not.
static void begin(void *stack_pointer) {
  thread_state *t = thread_current;
  if (t && t->ready) return;
  if (!process_is_recording()) {
    process_count(LIFELINE_COUNTER_lostStopped);
    return;
  }
  bool reused = false;
  if (!t) {
    t = take();
    if (!t) t = take_left();
    reused = t && t->recording == the_process->recording;
    if (!t && the_process->header->streams >= THREAD_LIMIT) {
      process_count(LIFELINE_COUNTER_lostThreads);
      return;
    }
    if (!t) t = memory_pages(sizeof *t, true);
    if (!t) {
      trace_file_stop(LIFELINE_STOP_noMemory);
      return;
    }
  }
  t->busy = 1;
  t->variable = &thread_current;
  event_begin_thread(t);
  if (t->recording != the_process->recording) renew(t);
  t->number = __atomic_add_fetch(&the_process->header->threads, 1, __ATOMIC_RELAXED);
  if (!t->stream) t->stream = __atomic_add_fetch(&the_process->header->streams, 1, __ATOMIC_RELAXED);
  backtrace_begin_thread(&t->stack, *(uint64_t *)stack_pointer);
  t->task = t->task_number = 0;
  t->queue = t->queue_number = t->queue_label = 0;
  t->until_measured = BUDGET_EVERY;
  char name[16];
  read_name(name);
  record_thread_begin(t->number, (uint32_t)syscall(SYS_gettid), name);
  if (reused) event_thread(t);
  t->ready = 1;
  t->busy = 0;
  thread_current = t;
  if (has_key) pthread_setspecific(key, (void *)1);
}

thread_state *thread_begin(uint64_t stack_pointer) {
  if (!the_process || !pool) return NULL;
  // A recording that ran out of room, for example, costs nothing more from here on than its missing events.
  if (process_has_stopped()) {
    if (!__atomic_load_n(&is_ended, __ATOMIC_RELAXED)) process_count(LIFELINE_COUNTER_lostStopped);
    return NULL;
  }
  aside(begin, &stack_pointer);
  thread_state *t = thread_current;
  return t && t->ready ? t : NULL;
}

/// Records that the thread runs another task from here on, or none.
static void change_task(thread_state *t, uint64_t task) {
  t->task = task;
  t->task_number = task_number(task);
  event_task(t);
}

/// Notes that the thread runs code of another dispatch queue from here on, or of none.
static void change_queue(thread_state *t, uint64_t queue) {
  uint32_t label = queue_label(queue);
  t->queue = queue;
  t->queue_number = queue ? queue_number(queue) : 0;
  if (label == t->queue_label) return;
  t->queue_label = label;
  event_queue(t);
}

thread_state *thread_enter_anew(uint64_t sp) {
  thread_state *t = thread_current;
  if (!t || !t->ready) {
    t = thread_begin(sp);
    if (!t) return NULL;
  }
  if (t->busy) {
    if (t->busy == THREAD_PAUSED) return NULL;
    // A signal handler interrupted the recorder: its events are counted, not recorded. A longjmp out of
    // one leaves `busy` behind; then the stack has been unwound past that hook.
    bool same_stack = sp >= t->stack.low && sp < t->stack.high && t->busy >= t->stack.low && t->busy < t->stack.high;
    if (!same_stack || sp <= t->busy) {
      process_count(LIFELINE_COUNTER_lostNested);
      return NULL;
    }
    t->cursor = t->limit = t->end;  // an unfinished event ends the chunk
  }
  t->busy = sp;
  if (--t->until_measured == 0) budget_enter(t);
  uint64_t task = task_current();
  if (!thread_is_in_task(t, task)) change_task(t, task);
  uint64_t queue = queue_current();
  if (!thread_is_in_queue(t, queue)) change_queue(t, queue);
  __asm__ volatile("" ::: "memory");
  return t;
}
