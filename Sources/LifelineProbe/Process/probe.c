#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Async/async_context.h"
#include "Hooks/class.h"
#include "Recording/clock.h"
#include "Detours/detour_trap.h"
#include "Detection/guard.h"
#include "Hooks/hook.h"
#include "Unwinding/image.h"
#include "lifeline_probe.h"
#include "Recording/memory.h"
#include "Process/aside.h"
#include "Process/notice.h"
#include "Process/options.h"
#include "Recording/record.h"
#include "Process/runtime.h"
#include "Recording/thread.h"
#include "Recording/trace_file.h"
#include "Detection/watch.h"
#include "Detection/zombie.h"

static void describe(void) {
  record_program();
  record_runtime(the_runtime.method, the_runtime.path, "");
  hook_record_all();
}

static void give_up(uint32_t reason, const char *sentence) {
  record_notice(reason, sentence);
  trace_file_stop(reason);
}

/// Whether the program lies in the folder whose programs are left alone: the toolchain's, under `swift test`.
static bool is_skipped(void) {
  if (!the_options.skip || !*the_options.skip) return false;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  size_t prefix = strlen(the_options.skip);
  return length > (ssize_t)prefix && !memcmp(path, the_options.skip, prefix) && path[prefix] == '/';
}

/// In a forked child: begins its own trace. Called by the first hook that notices.
static void begin_child(void) {
  // Other threads of the child may come here too, though right after fork there is only one.
  uint32_t fresh = PROCESS_NEW;
  if (!__atomic_compare_exchange_n(&the_process->state, &fresh, PROCESS_BEGINNING, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  if (!trace_file_create()) {
    __atomic_store_n(&the_process->state, PROCESS_STOPPED, __ATOMIC_RELEASE);
    return;
  }
  record_program();
  record_runtime(the_runtime.method, the_runtime.path, "");
  hook_record_all();
  watch_begin_child();
  image_record_all();
  class_record_all();
  process_count(LIFELINE_COUNTER_forks);
  uint32_t beginning = PROCESS_BEGINNING;  // it may have stopped meanwhile
  __atomic_compare_exchange_n(&the_process->state, &beginning, PROCESS_RECORDING, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/// Begins the recording; a sentence when that is impossible.
static const char *begin(const char *options) {
  if (!runtime_find()) return "The Swift runtime (libswiftCore.so) was not found in this process.";
  options_read(options);
  if (is_skipped()) return "The program lies in the folder whose programs are left alone.";
  the_process = memory_pages(sizeof *the_process, true);
  if (!the_process || !trace_file_create()) {
    the_process = NULL;
    return "The trace file could not be created; a line on standard error says why.";
  }
  the_process->state = PROCESS_STARTING;
  aside_prepare();
  image_set_runtime_folder(the_runtime.path);
  process_begin_child = begin_child;
  thread_prepare();
  image_scan();
  async_prepare();
  if (!hook_install()) {
    describe();
    give_up(LIFELINE_STOP_unknownRuntime, "an entry point that everything depends on could not be detoured");
    return "The entry points of this Swift runtime have a shape that the recorder does not know.";
  }
  if (!hook_self_test()) {
    describe();
    process_count(LIFELINE_COUNTER_selfTestFailures);
    give_up(LIFELINE_STOP_selfTestFailed, "the detours did not see what was done to a test object");
    return "The recorder's self-test failed: it did not see what was done to a test object.";
  }
  describe();
  if (the_options.zombies && !zombie_prepare()) {
    record_notice(0, "there was no memory for zombies: messages to freed objects are not recognised");
    the_process->header->flags &= ~LIFELINE_FLAG_ZOMBIES;
  }
  if (the_options.guard.count && !guard_prepare(hook_access_at)) {
    record_notice(0, "guard pages could not be had: reads and writes of freed objects are not recognised");
    the_process->header->flags &= ~LIFELINE_FLAG_GUARDS;
  }
  // What the self-test counted is not the program's.
  memset(the_process->header->counters, 0, sizeof the_process->header->counters);
  __atomic_store_n(&the_process->state, PROCESS_RECORDING, __ATOMIC_RELEASE);
  return NULL;
}

// A program that is only linked with the probe says itself when to begin.
static bool is_preloaded(void) {
  const char *list = getenv("LD_PRELOAD");
  return getenv("LIFELINE_OPTIONS") || (list && strstr(list, "LifelineProbe"));
}

__attribute__((constructor)) static void probe_begin(void) {
  int saved_errno = errno;
  if (is_preloaded()) begin(getenv("LIFELINE_OPTIONS"));  // not a Swift program: left alone
  errno = saved_errno;
}

__attribute__((visibility("default"))) const char *lifeline_start(const char *options) {
  static uint32_t lock;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
  int saved_errno = errno;
  const char *problem = process_recording() ? NULL
                        : the_process       ? "The recording has stopped; a process has one recording only."
                                            : (detour_trap_begin(), begin(options));
  errno = saved_errno;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return problem;
}

__attribute__((visibility("default"))) const char *lifeline_trace_path(void) {
  return the_process && the_process->header ? the_process->path : NULL;
}

__attribute__((visibility("default"))) bool lifeline_is_recording(void) { return process_recording(); }

__attribute__((destructor)) static void probe_end(void) {
  if (!process_recording() || !the_process->header) return;
  the_process->header->end_clock = clock_ticks();
  the_process->header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
  // Events may still follow: other libraries' destructors run after this one.
  the_process->header->state = LIFELINE_STATE_ENDED;
}
