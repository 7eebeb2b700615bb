#include "Lifecycle/toggle.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "Lifecycle/attach.h"
#include "Process/memory.h"
#include "Process/signals.h"

static char *options_text;
static uint32_t asked;  // how often the signal has come

const char *toggle_options(void) { return options_text; }

/// In a handler only system calls are possible: the rest is done on a thread.
static void ask(int signal) {
  (void)signal;
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELEASE);
  signals_system_call(SYS_futex, (long)&asked, FUTEX_WAKE_PRIVATE, 1, 0);
}

static void *answer(void *turn) {
  prctl(PR_SET_NAME, ATTACH_THREAD);
  for (uint32_t done = 0;;) {
    if (__atomic_load_n(&asked, __ATOMIC_ACQUIRE) == done)
      signals_system_call(SYS_futex, (long)&asked, FUTEX_WAIT_PRIVATE, done, 0);
    else {
      done++;
      ((void (*)(void))turn)();
    }
  }
}

bool toggle_prepare(int signal, const char *options, void (*turn)(void)) {
  size_t size = strlen(options) + 1;
  options_text = memory_pages(size, false);
  if (!options_text) return false;
  memcpy(options_text, options, size);
  // The program's signals are for its own threads. libc keeps those that it needs itself out of the set.
  static const int direct[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
  sigset_t held, before;
  sigfillset(&held);
  for (unsigned i = 0; i < sizeof direct / sizeof *direct; i++) sigdelset(&held, direct[i]);
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  bool good = pthread_create(&thread, &attributes, answer, (void *)turn) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  return good && sigaction(signal, &action, NULL) == 0;
}
