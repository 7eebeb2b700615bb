#include "probe.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "class.h"
#include "clock.h"
#include "guard.h"
#include "hook.h"
#include "image.h"
#include "memory.h"
#include "notice.h"
#include "options.h"
#include "record.h"
#include "runtime.h"
#include "thread.h"
#include "trace_file.h"
#include "zombie.h"

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

__attribute__((constructor)) static void probe_begin(void) {
  int saved_errno = errno;
  if (!runtime_find()) { errno = saved_errno; return; }  // not a Swift program: left alone
  options_read(getenv("LIFELINE_OPTIONS"));
  if (is_skipped()) { errno = saved_errno; return; }
  the_process = memory_pages(sizeof *the_process, true);
  if (!the_process || !trace_file_create()) { the_process = NULL; errno = saved_errno; return; }
  the_process->state = PROCESS_STARTING;
  image_set_runtime_folder(the_runtime.path);
  thread_prepare();
  image_scan();
  if (!hook_install()) {
    describe();
    give_up(LIFELINE_STOP_unknownRuntime, "an entry point that everything depends on could not be detoured");
  } else if (!hook_self_test()) {
    describe();
    process_count(LIFELINE_COUNTER_selfTestFailures);
    give_up(LIFELINE_STOP_selfTestFailed, "the detours did not see what was done to a test object");
  } else {
    describe();
    if (the_options.zombies && !zombie_prepare()) {
      record_notice(0, "there was no memory for zombies: messages to freed objects are not recognised");
      the_process->header->flags &= ~LIFELINE_FLAG_ZOMBIES;
    }
    if (the_options.guard.count && !guard_prepare()) {
      record_notice(0, "guard pages could not be had: reads and writes of freed objects are not recognised");
      the_process->header->flags &= ~LIFELINE_FLAG_GUARDS;
    }
    // What the self-test counted is not the program's.
    memset(the_process->header->counters, 0, sizeof the_process->header->counters);
    __atomic_store_n(&the_process->state, PROCESS_RECORDING, __ATOMIC_RELEASE);
  }
  errno = saved_errno;
}

void probe_begin_child(void) {
  // Other threads of the child may come here too, though right after fork there is only one.
  uint32_t fresh = PROCESS_NEW;
  if (!__atomic_compare_exchange_n(&the_process->state, &fresh, PROCESS_STARTING, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  if (!trace_file_create()) {
    the_process->state = PROCESS_STOPPED;
    return;
  }
  record_program();
  record_runtime(the_runtime.method, the_runtime.path, "");
  hook_record_all();
  image_record_all();
  class_record_all();
  process_count(LIFELINE_COUNTER_forks);
  __atomic_store_n(&the_process->state, PROCESS_RECORDING, __ATOMIC_RELEASE);
}

__attribute__((destructor)) static void probe_end(void) {
  if (!process_recording() || !the_process->header) return;
  the_process->header->end_clock = clock_ticks();
  the_process->header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
  // Events may still follow: other libraries' destructors run after this one.
  the_process->header->state = LIFELINE_STATE_ENDED;
}
