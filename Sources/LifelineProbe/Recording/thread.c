#define _GNU_SOURCE
#include "Recording/thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Hooks/class.h"
#include "Recording/event.h"
#include "Unwinding/image.h"
#include "Process/aside.h"
#include "Process/lock.h"
#include "Recording/memory.h"
#include "Recording/record.h"
#include "Recording/trace_file.h"

__thread thread_state *thread_current __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static bool has_key;

/// Streams of ended threads, for later ones; in a page that a forked child sees empty.
static struct pool {
  thread_state *free;
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
  if (!t || !t->ready || !process_recording()) return;
  char name[16];
  read_name(name);
  record_thread_name(t->number, name);
  record_thread_end(t->number);
  lock_take(LOCK_THREADS);
  t->next_free = pool->free;
  pool->free = t;
  lock_drop(LOCK_THREADS);
}

void thread_prepare(void) {
  has_key = pthread_key_create(&key, end_thread) == 0;
  pool = memory_pages(4096, true);
}

static thread_state *take(void) {
  lock_take(LOCK_THREADS);
  thread_state *t = pool->free;
  if (t) pool->free = t->next_free;
  lock_drop(LOCK_THREADS);
  return t;
}

/// Runs with signals held: a handler meets a thread that has begun or one that has not.
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
    reused = t != NULL;
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
  t->number = __atomic_add_fetch(&the_process->header->threads, 1, __ATOMIC_RELAXED);
  if (!t->stream) t->stream = __atomic_add_fetch(&the_process->header->streams, 1, __ATOMIC_RELAXED);
  backtrace_begin_thread(&t->stack, *(uint64_t *)stack_pointer);
  t->task = t->task_number = 0;
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
  aside(begin, &stack_pointer);
  thread_state *t = thread_current;
  return t && t->ready ? t : NULL;
}

void thread_change_task(thread_state *t, uint64_t task) {
  t->task = task;
  t->task_number = task_number(task);
  event_task(t);
}
