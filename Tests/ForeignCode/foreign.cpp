#include "foreign.h"

#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_SIZE = 256 << 10 };

__attribute__((noinline)) void witness(void) {
  void *frames[1024];
  int count = backtrace(frames, 1024);
  printf("witness");
  for (int i = 1; i < count; i++) printf(" %lx", (uintptr_t)frames[i]);
  printf("\n");
}

static jmp_buf place;
void leave(int value) { longjmp(place, value); }

void through_longjmp(callback make, callback inner) {
  make(1);
  volatile int round = 0;
  if (setjmp(place) < 3) {
    round = round + 1;
    inner(round);
  }
  make(2);
}

/// Calls back while an exception passes its frame.
struct Guard {
  callback make;
  ~Guard() { make(10); }
};

__attribute__((noinline)) static void throwing(callback make, int depth) {
  Guard guard{make};
  make(11);
  if (depth == 0) throw 7;
  throwing(make, depth - 1);
  make(12);
}

void through_exceptions(callback make) {
  try {
    throwing(make, 3);
  } catch (int value) {
    make(value);
  }
  make(13);
}

static ucontext_t back, routines[2];
static callback routine_entry;
void pause_routine(int which) { swapcontext(&routines[which], &back); }
static void routine(int which) { routine_entry(which); }

void through_coroutines(callback entry, callback make) {
  routine_entry = entry;
  for (int i = 0; i < 2; i++) {
    getcontext(&routines[i]);
    routines[i].uc_stack.ss_sp = mmap(nullptr, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    routines[i].uc_stack.ss_size = STACK_SIZE;
    routines[i].uc_link = &back;
    makecontext(&routines[i], (void (*)())routine, 1, i);
  }
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < 2; i++) {
      swapcontext(&back, &routines[i]);
      make(20 + round);
    }
}

static callback signal_make;
static void handler(int) { signal_make(30); }

void through_signal(callback make, int on_alternate_stack) {
  signal_make = make;
  stack_t stack = {};
  stack.ss_size = STACK_SIZE;
  stack.ss_sp = malloc(STACK_SIZE);
  if (on_alternate_stack) sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = on_alternate_stack ? SA_ONSTACK : 0;
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  raise(SIGUSR1);
  make(31);
}

static void *thread(void *make) {
  ((callback)make)(40);
  return nullptr;
}

void through_thread(callback make) {
  pthread_t id;
  pthread_create(&id, nullptr, thread, (void *)make);
  pthread_join(id, nullptr);
}

static callback search_make;
static int compare(const void *a, const void *b) {
  search_make(50);
  return *(const int *)a - *(const int *)b;
}

void through_search(callback make) {
  search_make = make;
  int numbers[5] = {5, 1, 4, 2, 3}, key = 4;
  qsort(numbers, 5, sizeof *numbers, compare);
  bsearch(&key, numbers, 5, sizeof *numbers, compare);
}
