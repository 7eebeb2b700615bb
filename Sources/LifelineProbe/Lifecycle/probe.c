#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "Async/async_context.h"
#include "Async/queue.h"
#include "Detection/allocator.h"
#include "Detection/guard.h"
#include "Detection/watch.h"
#include "Detection/zombie.h"
#include "Detours/detour.h"
#include "Detours/detour_trap.h"
#include "Hooks/hook.h"
#include "Hooks/hook_life.h"
#include "Lifecycle/attach.h"
#include "Lifecycle/examine.h"
#include "Lifecycle/image_unload.h"
#include "Lifecycle/process_end.h"
#include "Lifecycle/toggle.h"
#include "lifeline_probe.h"
#include "Objects/class.h"
#include "Process/aside.h"
#include "Process/clock.h"
#include "Process/filters.h"
#include "Process/memory.h"
#include "Process/notice.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Process/runtime.h"
#include "Process/sample.h"
#include "Recording/budget.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "TraceFile/record.h"
#include "TraceFile/ring.h"
#include "TraceFile/trace_file.h"
#include "Unwinding/image.h"

static void describe(void) {
  record_program();
  record_runtime(the_runtime.method, the_runtime.path, "");
  hook_record_all();
}

static void give_up(uint32_t reason, const char *sentence) {
  record_notice(reason, sentence);
  trace_file_stop(reason);
}

/// Reports why an essential entry point has no detour.
static const char *give_up_on_detours(void) {
  switch (detour_obstacle()) {
    case DETOUR_FORBIDDEN:
      give_up(LIFELINE_STOP_refusedByKernel,
              "the kernel forbids this process to change code (PR_SET_MDWE, or a security policy)");
      return "The kernel forbids this process to change code, so the runtime's entry points cannot be detoured.";
    case DETOUR_BREAKPOINT:
      give_up(LIFELINE_STOP_breakpoint,
              "a debugger's breakpoint is at an entry point; set it after the program has started");
      return "A debugger's breakpoint stands at an entry point of the Swift runtime; set it when the program has "
             "started.";
    case DETOUR_NO_ROOM:
      give_up(LIFELINE_STOP_noRoom, "there is no free memory within reach of a required entry point");
      return "There is no free memory within reach of the Swift runtime's entry points.";
    default:
      give_up(LIFELINE_STOP_unknownRuntime, "a required entry point could not be detoured");
      return "The entry points of this Swift runtime have an unknown form.";
  }
}

/// Whether the program is in the folder whose programs are left alone: the toolchain's, under `swift test`.
static bool is_skipped(void) {
  if (!the_options.skip || !*the_options.skip) return false;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  size_t prefix = strlen(the_options.skip);
  return length > (ssize_t)prefix && !memcmp(path, the_options.skip, prefix) && path[prefix] == '/';
}

/// The state "recording" after `before`, unless something on the way there has stopped it.
static bool start_recording(uint32_t before) {
  return __atomic_compare_exchange_n(&the_process->state, &before, PROCESS_RECORDING, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

static bool is_wanted;  // a recording has begun and not been ended: a forked child starts one too
static bool is_own;     // … and the program began it

/// In a forked child: begins its own trace. Called by the first hook that notices.
static void begin_child(void) {
  // Other threads of the child may come here too, though right after fork there is only one.
  uint32_t fresh = PROCESS_NEW;
  if (!is_wanted) {
    __atomic_compare_exchange_n(&the_process->state, &fresh, PROCESS_STOPPED, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    return;
  }
  if (!__atomic_compare_exchange_n(&the_process->state, &fresh, PROCESS_BEGINNING, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST))
    return;
  if (!trace_file_create()) {
    __atomic_store_n(&the_process->state, PROCESS_STOPPED, __ATOMIC_RELEASE);
    return;
  }
  the_process->recording = 1;
  event_prepare();
  queue_begin_trace();
  budget_prepare();
  describe();
  watch_begin_child();
  image_record_all();
  class_record_all();
  process_count(LIFELINE_COUNTER_forks);
  start_recording(PROCESS_BEGINNING);
}

static void detect_without(uint32_t flag, const char *sentence) {
  record_notice(0, sentence);
  the_process->header->flags &= ~flag;
  if (flag & LIFELINE_FLAG_ZOMBIES) the_options.zombies = false;
}

/// Zombies and guard pages, as far as they are wanted and do no harm.
static void prepare_detection(void) {
  const char *guards_refused = allocator_refuses_guards();
  if (allocator_is_sanitizer() && (the_options.zombies || the_options.guard.count))
    detect_without(LIFELINE_FLAG_ZOMBIES | LIFELINE_FLAG_GUARDS,
                   "the program's own sanitizer watches freed memory and would report kept objects as leaks: zombies "
                   "and guard pages are off");
  else {
    if (the_options.zombies && !zombie_has_room())
      detect_without(LIFELINE_FLAG_ZOMBIES,
                     "the program's address space is limited (ulimit -v), and zombies might take the rest of it: calls "
                     "on freed objects will not be detected");
    if (the_options.zombies && !zombie_prepare())
      detect_without(LIFELINE_FLAG_ZOMBIES,
                     "there was no memory for zombies: calls on freed objects will not be detected");
    if (the_options.guard.count && guards_refused)
      detect_without(LIFELINE_FLAG_GUARDS, guards_refused);
    else if (the_options.guard.count && !guard_prepare(hook_access_at))
      detect_without(LIFELINE_FLAG_GUARDS,
                     "guard pages could not be reserved: reads and writes of freed objects will not be detected");
  }
}

static void probe_end(void);
static void end_quickly(void *unused) {
  (void)unused;
  probe_end();
}
// at_quick_exit is not in the shared C library, only what it calls.
extern int __cxa_at_quick_exit(void (*handler)(void *), void *library);

static bool make_process(void) {
  static process_state *pages;
  if (!pages) pages = memory_pages(sizeof *pages, true);
  return (the_process = pages) != NULL;
}

static void turn(void);

/// What the program's objects would need as long as they live, or threads that are late may still write to.
static void refuse_what_needs_a_start(void) {
  if (the_options.guard.count)
    notice_say("guard pages are off: this recording began after the process did, and may end before it does");
  if (the_options.keep_size || the_options.keep_time)
    notice_say("everything is kept: only a recording from a process's start can keep a part (--keep)");
  the_options.guard.count = 0;
  the_options.keep_size = the_options.keep_time = 0;
}

/// Begins a recording, or waits for the signal that does; a sentence when that is impossible.
///
/// One that `is_late` has older objects: it is a further one, or was asked for from outside.
static const char *begin(const char *options, bool is_late) {
  if (!the_runtime.method && !runtime_find())
    return "The Swift runtime (libswiftCore.so) was not found in this process.";
  bool is_first = !the_process;
  options_reset();
  options_read(options);
  // An explorer that is killed cannot end the processes that it started.
  if (the_options.explorer && the_options.explorer == (uint32_t)getppid()) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_skipped()) return "Programs in this folder are not recorded.";
  if (is_late) {
    the_options.attached = true;
    the_options.age = process_age();
    refuse_what_needs_a_start();
  } else if (the_options.toggle) {
    if (toggle_prepare(the_options.toggle, options, turn)) return NULL;
    notice_say("the signal cannot begin a recording of this process: it could not be handled");
    return "The signal that begins a recording could not be handled.";
  }
  if (!the_options.session) {
    the_options.made_session = true;
    the_options.session = clock_nanoseconds(CLOCK_REALTIME) | 1;
  }
  bool has_memory = sample_prepare();
  ring_install();
  if (!make_process() || !trace_file_create()) {
    // Threads may still be leaving the hooks of an earlier recording.
    if (is_first) the_process = NULL;
    return "The trace file could not be created; a line on standard error says why.";
  }
  the_process->recording++;
  if (!is_first) image_forget_missing();
  the_process->state = PROCESS_STARTING;
  budget_prepare();
  aside_prepare();
  process_end_prepare();
  image_set_runtime_folder(the_runtime.path);
  process_begin_child = begin_child;
  thread_prepare();
  event_prepare();
  if (!has_memory) trace_file_stop(LIFELINE_STOP_noMemory);
  if (!is_first) {
    image_record_all();
    class_decide_again();
    class_record_all();
  }
  image_scan();
  if (the_process->state == PROCESS_STOPPED)
    return "The trace could not be written; a line on standard error says why.";
  async_prepare();
  if (!hook_install()) {
    describe();
    return give_up_on_detours();
  }
  if (!hook_self_test()) {
    describe();
    process_count(LIFELINE_COUNTER_selfTestFailures);
    give_up(LIFELINE_STOP_selfTestFailed, "the detours did not see the events of a test object");
    return "The recorder's self-test failed: it did not see the events of a test object.";
  }
  describe();
  prepare_detection();
  // The counts of the self-test do not belong to the program.
  memset(the_process->header->counters, 0, sizeof the_process->header->counters);
  if (!start_recording(PROCESS_STARTING))
    return "The recording stopped before it began; a line on standard error says why.";
  is_wanted = true;
  if (the_options.examine) {
    filters_note(the_options.filters);
    __cxa_at_quick_exit(end_quickly, NULL);
  }
  return NULL;
}

// A program that is only linked with the probe starts recording itself, and `lifeline attach` starts it for others: it
// loads the probe on a thread that has a name of its own.
static bool is_preloaded(void) {
  char thread[16] = "";
  if (prctl(PR_GET_NAME, thread) == 0 && !strcmp(thread, ATTACH_THREAD)) return false;
  const char *list = getenv("LD_PRELOAD");
  return getenv("LIFELINE_OPTIONS") || (list && strstr(list, "LifelineProbe"));
}

__attribute__((constructor)) static void probe_begin(void) {
  int saved_errno = errno;
  notice_prepare();
  if (is_preloaded()) begin(getenv("LIFELINE_OPTIONS"), false);  // not a Swift program: left alone
  errno = saved_errno;
}

static uint32_t start_lock;

static void lock_start(void) {
  while (__atomic_exchange_n(&start_lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock_start(void) { __atomic_store_n(&start_lock, 0, __ATOMIC_RELEASE); }

/// Ends a recording that the process outlives: afterwards it runs only its own code.
static const char *end(void) {
  is_wanted = is_own = false;
  __atomic_store_n(&the_process->state, PROCESS_STOPPED, __ATOMIC_SEQ_CST);
  // All at once: with the detours removed one after another, frees would be recorded of objects whose allocations are
  // not any longer.
  thread_stop_all();
  unsigned left = detour_remove_all();
  // Time for threads to leave hooks; for slower ones, everything that they may touch stays in place.
  enum { GRACE = 20000 /* microseconds */ };
  usleep(GRACE);
  thread_close_all();
  record_close();
  trace_file_close();
  if (!left) detour_trap_end();
  watch_end();
  hook_let_freed_go();
  the_options.attached = left;
  return left ? "A debugger has changed entry points of the Swift runtime meanwhile, so they still lead through the "
                "probe, which does nothing more."
              : NULL;
}

/// What a notice says without "recording of process 4711 stopped: ".
static const char *without_beginning(const char *notice) {
  static const char stopped[] = " stopped: ";
  const char *reason = strstr(notice, stopped);
  return reason ? reason + strlen(stopped) : notice;
}

/// Whether there is a trace that has not been closed, even if the recording has stopped by itself.
static bool has_trace(void) { return the_process && the_process->header && the_process->header->state; }

/// Begins a recording while other threads run. What a failed attempt has changed is undone.
static const char *begin_late(const char *options, bool is_late) {
  detour_trap_begin();
  const char *problem = begin(options, is_late);
  if (problem && strstr(problem, "standard error")) problem = without_beginning(notice_last());
  if (problem && the_process) {
    if (has_trace()) unlink(the_process->path);  // the one just made
    end();
  }
  return problem;
}

__attribute__((visibility("default"))) const char *lifeline_start(const char *options) {
  lock_start();
  int saved_errno = errno;
  const char *problem = NULL;
  if (has_trace() && !process_recording())
    problem = "The recording has stopped by itself; Timeline.stop() ends it, and then another one can start.";
  else if (!process_recording()) {
    if (the_process) problem = begin_late(options, true);
    else {
      detour_trap_begin();
      problem = begin(options, false);
    }
    is_own = !problem;
  }
  errno = saved_errno;
  unlock_start();
  return problem;
}

__attribute__((visibility("default"))) const char *lifeline_stop(void) {
  lock_start();
  int saved_errno = errno;
  const char *problem = !is_own || !has_trace()  ? NULL
                        : the_options.guard.count ? "Guard pages stay in a process as long as its objects do, so this "
                                                    "recording ends when the process does."
                                                  : end();
  errno = saved_errno;
  unlock_start();
  return problem;
}

/// Called for each signal of the option `toggle`.
static void turn(void) {
  lock_start();
  if (has_trace()) end();
  else begin_late(toggle_options(), true);
  unlock_start();
}

const char *lifeline_attach(const char *options) {
  lock_start();
  const char *problem = NULL;
  if (the_process && process_is_recording()) problem = "It is already being recorded.";
  else if (has_trace() && !the_options.attached)
    problem = "It was recorded from its start; start a new process for another recording.";
  else if (the_process && the_options.attached) problem = end();  // that recording has stopped by itself
  if (!problem) problem = begin_late(options, true);
  unlock_start();
  return problem;
}

const char *lifeline_detach(const char *unused) {
  (void)unused;
  lock_start();
  const char *problem = !the_process           ? "It is not being recorded."
                        : the_options.attached ? end()
                        : process_recording()  ? "It is recorded from its start on, by 'lifeline record' or by "
                                                 "itself; that ends when it ends."
                                               : "It is not being recorded.";
  unlock_start();
  return problem;
}

__attribute__((visibility("default"))) const char *lifeline_trace_path(void) {
  return the_process && the_process->header ? the_process->path : NULL;
}

__attribute__((visibility("default"))) bool lifeline_is_recording(void) { return process_recording(); }

__attribute__((destructor, noinline)) static void probe_end(void) {
  if (!process_recording() || !the_process->header) return;
  examine_ask(CALL_SITE());
  process_end_finish();
}
