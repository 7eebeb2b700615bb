#define _GNU_SOURCE
#include "Backtraces/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_stack_end __attribute__((weak));

// From /proc/self/maps, without libc's allocator or stdio.
bool stack_mapping(uint64_t address, uint64_t *low, uint64_t *high) {
  int saved = errno;
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    errno = saved;
    return false;
  }
  char buffer[4096];
  uint64_t first = 0, second = 0;
  enum { FIRST, SECOND, REST } part = FIRST;
  bool found = false;
  for (ssize_t size; !found && (size = read(fd, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < size && !found; i++) {
      char c = buffer[i];
      unsigned digit = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');
      if (c == '\n') { part = FIRST; first = second = 0; }
      else if (part == FIRST && c == '-') part = SECOND;
      else if (part == SECOND && c == ' ') {
        part = REST;
        if (address >= first && address < second) { *low = first; *high = second; found = true; }
      }
      else if (part == FIRST) first = first << 4 | digit;
      else if (part == SECOND) second = second << 4 | digit;
    }
  }
  close(fd);
  errno = saved;
  return found;
}

void stack_bounds(uint64_t *low, uint64_t *high) {
  uint64_t here = (uint64_t)__builtin_frame_address(0), control_block;
  __asm__("mov %%fs:0, %0" : "=r"(control_block));
  // A thread made by glibc has its control block at the top of its stack; the main thread has not.
  if (getpid() == (pid_t)syscall(SYS_gettid) && &__libc_stack_end && (uint64_t)__libc_stack_end > here) {
    *low = here & ~(uint64_t)4095;
    *high = ((uint64_t)__libc_stack_end + 8) & ~(uint64_t)7;
  } else if (control_block > here && control_block - here < (1ull << 32)) {
    *low = here & ~(uint64_t)4095;
    *high = control_block & ~(uint64_t)7;
  } else if (!stack_mapping(here, low, high)) {
    *low = *high = 0;
  }
}
