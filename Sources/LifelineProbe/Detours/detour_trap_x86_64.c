#define _GNU_SOURCE
#include "Detours/detour_trap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/// Where a thread that ran into a trap continues; NULL if the trap is not ours.
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
  // The trap has been executed: the program counter is after it.
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
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  struct sigaction now;
  if (sigaction(SIGTRAP, NULL, &now) != 0) return false;
  if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle) return true;
  previous = now;
  return sigaction(SIGTRAP, &action, NULL) == 0;
}

/// Whether a thread has run into a trap that it has not handled yet; true if that is unknown.
static bool is_pending(const char *thread) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno != ENOENT;  // it has ended
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = 0;
  const char *line = strstr(text, "\nSigPnd:");
  return !line || strtoull(line + 8, NULL, 16) & 1ull << (SIGTRAP - 1);
}

void detour_trap_end(void) {
  struct sigaction now;
  if (sigaction(SIGTRAP, NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != handle) return;
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return;
  bool pending = false;
  for (struct dirent *entry; (entry = readdir(threads));)
    if (entry->d_name[0] != '.' && is_pending(entry->d_name)) pending = true;
  closedir(threads);
  if (!pending) sigaction(SIGTRAP, &previous, NULL);
}

void detour_trap_add(const uint8_t *entry, uint32_t mask, const uint8_t *copy) {
  if (trap_count == TRAPS) return;
  traps[trap_count] = (struct trap){entry, copy, mask};
  __atomic_store_n(&trap_count, trap_count + 1, __ATOMIC_RELEASE);
}
