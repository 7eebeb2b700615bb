#define _GNU_SOURCE
#include "Lifecycle/process_end.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Process/clock.h"
#include "Process/process.h"

#define EXPORTED __attribute__((visibility("default")))

typedef int exec_search(const char *file, char *const arguments[], char *const environment[]);
typedef int exec_file(int fd, char *const arguments[], char *const environment[]);

static exec_search *real_execvpe;
static exec_file *real_fexecve;
static void (*real_quick_exit)(int);

/// The header of this process's trace; NULL in a child of vfork, which runs in our memory and is another process.
static lifeline_file_header *own_header(void) {
  if (!process_recording() || !the_process->header) return NULL;
  return the_process->header->process == (uint32_t)getpid() ? the_process->header : NULL;
}

static void note(uint32_t end, int status) {
  lifeline_file_header *header = own_header();
  if (!header) return;
  header->end_clock = clock_ticks();
  header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
  header->end_value = (uint32_t)status & 0xFF;
  header->end = end;
  // Events may still follow: other libraries' destructors run after ours.
  header->state = LIFELINE_STATE_ENDED;
}

static void exited(int status, void *unused) {
  (void)unused;
  note(LIFELINE_END_EXIT, status);
}

void process_end_prepare(void) {
  static bool is_prepared;
  if (is_prepared) return;
  is_prepared = true;
  // A preloaded library's constructor runs before libc starts the program, so this is the last thing that exit does.
  on_exit(exited, NULL);
  real_execvpe = (exec_search *)dlsym(RTLD_NEXT, "execvpe");
  real_fexecve = (exec_file *)dlsym(RTLD_NEXT, "fexecve");
  *(void **)&real_quick_exit = dlsym(RTLD_NEXT, "quick_exit");
}

void process_end_finish(void) {
  lifeline_file_header *header = own_header();
  if (header) note(header->end, (int)header->end_value);
}

EXPORTED __attribute__((noreturn)) void _exit(int status) {
  note(LIFELINE_END_EXIT, status);
  for (;;) syscall(SYS_exit_group, status);
}

EXPORTED __attribute__((noreturn)) void _Exit(int status) { _exit(status); }

static __attribute__((noinline)) void prepare_quick_exit(int status) {
  note(LIFELINE_END_EXIT, status);
  if (!real_quick_exit) *(void **)&real_quick_exit = dlsym(RTLD_NEXT, "quick_exit");
  if (!real_quick_exit) _exit(status);
}

/// Clears the unused stack. libc's frames will lie there with gaps, in which stale words of the program's functions
/// would count as references.
static __attribute__((noinline)) void clear_unused_stack(void) {
  char unused[1024];
  memset(unused, 0, sizeof unused);
  __asm__ volatile("" : : "r"(unused) : "memory");
}

// The name that the C library declares does not return, so it could not pass its frame on.
EXPORTED void end_by_quick_exit(int status) __asm__("quick_exit");
void end_by_quick_exit(int status) {
  prepare_quick_exit(status);
  clear_unused_stack();
  __attribute__((musttail)) return real_quick_exit(status);
}

/// Cleans up after a failed exec: the process continues as before.
static int failed(int result) {
  int saved_errno = errno;
  lifeline_file_header *header = own_header();
  if (header) {
    header->end = LIFELINE_END_UNKNOWN;
    header->state = LIFELINE_STATE_RECORDING;
  }
  errno = saved_errno;
  return result;
}

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[]) {
  note(LIFELINE_END_EXEC, 0);
  return failed((int)syscall(SYS_execve, path, arguments, environment));
}

EXPORTED int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }

EXPORTED int execveat(int fd, const char *path, char *const arguments[], char *const environment[], int flags) {
  note(LIFELINE_END_EXEC, 0);
  return failed((int)syscall(SYS_execveat, fd, path, arguments, environment, flags));
}

// The dynamic linker's lock may be held at a fork, so these are looked up early; a process that calls one before our
// constructor ran has not forked from threads.
EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  if (!real_execvpe) real_execvpe = (exec_search *)dlsym(RTLD_NEXT, "execvpe");
  note(LIFELINE_END_EXEC, 0);
  return failed(real_execvpe(file, arguments, environment));
}

EXPORTED int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

EXPORTED int fexecve(int fd, char *const arguments[], char *const environment[]) {
  if (!real_fexecve) real_fexecve = (exec_file *)dlsym(RTLD_NEXT, "fexecve");
  note(LIFELINE_END_EXEC, 0);
  return failed(real_fexecve(fd, arguments, environment));
}
