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

/// The signals that traps raise.
static struct handled {
  int signal;
  bool is_needed;
  struct sigaction previous;
} all_handled[] = {{.signal = SIGTRAP, .is_needed = true}, {.signal = SIGILL}};
enum { HANDLED = sizeof all_handled / sizeof *all_handled };
static bool is_on;

uint8_t detour_trap_byte(unsigned number) {
  // push and pop of segments, daa, das, aaa, aas: invalid in 64-bit mode (Intel's manual, volume 2). As highest bytes
  // they lead 96 to 1,024 MB upwards, where less is mapped: the kernel places libraries, stacks and arenas downwards.
  static const uint8_t bytes[] = {DETOUR_INT3, 0x06, 0x07, 0x0E, 0x16, 0x17, 0x1E, 0x1F, 0x27, 0x2F, 0x37, 0x3F};
  return number < sizeof bytes ? bytes[number] : 0;
}

bool detour_trap_is(uint8_t byte) {
  uint8_t trap;
  for (unsigned i = 0; (trap = detour_trap_byte(i)); i++)
    if (trap == byte) return true;
  return false;
}

/// Where a thread that ran into a trap continues; NULL if the trap is not ours.
static const uint8_t *way_out(const uint8_t *trap) {
  uint32_t count = __atomic_load_n(&trap_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    ptrdiff_t offset = trap - traps[i].entry;
    if (offset >= 1 && offset <= 4 && traps[i].mask >> 8 * (offset - 1) & 0xFF) return traps[i].copy + offset;
  }
  return NULL;
}

/// Calls the handler that a signal had before ours, or does what would have happened without ours.
static void pass_on(struct handled *of, siginfo_t *info, void *context) {
  struct sigaction *previous = &of->previous;
  // Neither a signal that was sent nor int3, after which the thread continues, comes again by returning.
  bool comes_again = of->signal == SIGILL && info->si_code > 0;
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(of->signal, info, context);
  } else if (previous->sa_handler == SIG_DFL || (previous->sa_handler == SIG_IGN && comes_again)) {
    sigaction(of->signal, previous, NULL);
    if (!comes_again) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), of->signal);
  } else if (previous->sa_handler != SIG_IGN) {
    previous->sa_handler(of->signal);
  }
}

static void handle(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  // int3 has been executed: the program counter is after it.
  const uint8_t *trap = (const uint8_t *)registers[REG_RIP] - (signal == SIGTRAP);
  const uint8_t *out = info->si_code > 0 ? way_out(trap) : NULL;
  if (out) registers[REG_RIP] = (greg_t)out;
  else pass_on(&all_handled[signal == SIGILL], info, context);
}

static bool is_ours(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == handle;
}

static bool take(struct handled *one) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  struct sigaction now;
  if (sigaction(one->signal, NULL, &now) != 0) return false;
  if (is_ours(&now)) return true;
  one->previous = now;
  return sigaction(one->signal, &action, NULL) == 0;
}

bool detour_trap_begin(void) {
  is_on = true;
  bool good = true;
  for (unsigned i = 0; i < HANDLED; i++) good &= !all_handled[i].is_needed || take(&all_handled[i]);
  return good;
}

bool detour_trap_is_on(void) { return is_on; }

/// Whether a thread has run into a trap that it has not handled yet; true if that is unknown.
static bool is_pending(const char *thread, int signal) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno != ENOENT;  // it has ended
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = 0;
  const char *line = strstr(text, "\nSigPnd:");
  return !line || strtoull(line + 8, NULL, 16) & 1ull << (signal - 1);
}

static void give_back(const struct handled *one) {
  struct sigaction now;
  if (sigaction(one->signal, NULL, &now) != 0 || !is_ours(&now)) return;
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return;
  bool pending = false;
  for (struct dirent *entry; (entry = readdir(threads));)
    if (entry->d_name[0] != '.' && is_pending(entry->d_name, one->signal)) pending = true;
  closedir(threads);
  if (!pending) sigaction(one->signal, &one->previous, NULL);
}

void detour_trap_end(void) {
  is_on = false;
  for (unsigned i = 0; i < HANDLED; i++) give_back(&all_handled[i]);
}

bool detour_trap_add(const uint8_t *entry, uint32_t mask, uint32_t displacement, const uint8_t *copy) {
  if (trap_count == TRAPS) return !is_on;
  struct handled *illegal = &all_handled[1];
  if (mask >> 24 && displacement >> 24 != DETOUR_INT3) illegal->is_needed = true;
  if (is_on && illegal->is_needed && !take(illegal)) return false;
  traps[trap_count] = (struct trap){entry, copy, mask};
  __atomic_store_n(&trap_count, trap_count + 1, __ATOMIC_RELEASE);
  return true;
}
