#include "Process/aside.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "Process/process.h"
#include "Process/signals.h"

enum { STACKS = 16, SIZE = 64 * 1024 };

static uint8_t *stacks;

void aside_prepare(void) {
  if (stacks) return;
  void *pages =
      mmap(NULL, (size_t)STACKS * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages != MAP_FAILED) stacks = pages;
}

__attribute__((naked)) static void call_on(void (*function)(void *) __attribute__((unused)),
                                           void *argument __attribute__((unused)), void *top __attribute__((unused))) {
  __asm__(
      "push %rbp\n"
      ".cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
      "mov %rsp, %rbp\n"
      ".cfi_def_cfa_register %rbp\n"
      "mov %rdx, %rsp\n"
      "mov %rdi, %rax\n"
      "mov %rsi, %rdi\n"
      "call *%rax\n"
      "leave\n"
      ".cfi_def_cfa %rsp, 8\n"
      "ret\n");
}

/// A free stack, or -1. The page that reads as zero in a forked child says which are in use.
static int take(void) {
  uint32_t taken = __atomic_load_n(&the_process->asides, __ATOMIC_RELAXED);
  while (taken != (1u << STACKS) - 1) {
    int free = __builtin_ctz(~taken);
    if (__atomic_compare_exchange_n(&the_process->asides, &taken, taken | 1u << free, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return free;
  }
  return -1;
}

void aside(void (*function)(void *), void *argument) {
  uint64_t here = (uint64_t)__builtin_frame_address(0);
  if (!stacks || !the_process || here - (uint64_t)stacks < (uint64_t)STACKS * SIZE) {
    function(argument);
    return;
  }
  int saved = errno;
  uint64_t signals = signals_hold();
  int stack = take();
  // Other threads use all of them: waiting for one could take forever.
  if (stack < 0) {
    function(argument);
  } else {
    call_on(function, argument, stacks + (size_t)(stack + 1) * SIZE);
    __atomic_fetch_and(&the_process->asides, ~(1u << stack), __ATOMIC_RELEASE);
  }
  signals_restore(signals);
  errno = saved;
}
