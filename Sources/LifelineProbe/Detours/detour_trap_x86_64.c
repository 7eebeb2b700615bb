#define _GNU_SOURCE
#include "Detours/detour_trap.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { TRAPS = 128 };

static struct trap {
  const uint8_t *entry, *copy;
  uint32_t mask;
} traps[TRAPS];
static uint32_t trap_count;
static struct sigaction previous;

/// Where a thread goes on that ran into a trap; NULL when the trap is none of ours.
static const uint8_t *way_out(const uint8_t *trap) {
  uint32_t count = __atomic_load_n(&trap_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    ptrdiff_t offset = trap - traps[i].entry;
    if (offset >= 1 && offset <= 4 && traps[i].mask >> 8 * (offset - 1) & 0xFF) return traps[i].copy + offset;
  }
  return NULL;
}

static void handle(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  // The trap has been executed: the program counter is behind it.
  const uint8_t *out = way_out((const uint8_t *)registers[REG_RIP] - 1);
  if (out) {
    registers[REG_RIP] = (greg_t)out;
  } else if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler == SIG_DFL) {
    // What would have happened without us: the default action, once this handler has returned.
    sigaction(SIGTRAP, &previous, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  }
}

bool detour_trap_begin(void) {
  static bool has_begun;
  if (has_begun) return true;
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  return has_begun = sigaction(SIGTRAP, NULL, &previous) == 0 && sigaction(SIGTRAP, &action, NULL) == 0;
}

void detour_trap_add(const uint8_t *entry, uint32_t mask, const uint8_t *copy) {
  if (trap_count == TRAPS) return;
  traps[trap_count] = (struct trap){entry, copy, mask};
  __atomic_store_n(&trap_count, trap_count + 1, __ATOMIC_RELEASE);
}
