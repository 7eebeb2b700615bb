#pragma once
// Signals are blocked while the probe makes changes that a handler on the same thread must not see unfinished.
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Signals caused directly by an instruction or a system call stay unblocked: blocked, they would end the process.
#define SIGNALS_HELD                                                                              \
  (~(1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGILL - 1) | 1ull << (SIGFPE - 1) | \
     1ull << (SIGTRAP - 1) | 1ull << (SIGSYS - 1)))

/// One system call without libc, which may be interposed, and which leaves errno alone; the result is -errno.
static inline long signals_system_call(long number, long a, long b, long c, long d) {
  long result;
  register long fourth __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return result;
}

/// Blocks all signals; returns the previous mask.
static inline uint64_t signals_hold(void) {
  uint64_t all = SIGNALS_HELD, before = 0;
  signals_system_call(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&before, sizeof all);
  return before;
}

static inline void signals_restore(uint64_t mask) {
  signals_system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof mask);
}
