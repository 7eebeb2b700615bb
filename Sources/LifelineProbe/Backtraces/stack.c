#define _GNU_SOURCE
#include "Backtraces/stack.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Process/aside.h"
#include "Process/signals.h"

extern void *__libc_stack_end __attribute__((weak));

enum { PAGE = 4096, LARGEST_GROWTH = 8 << 20 };

typedef struct question {
  uint64_t address, low, high;
  bool found;
} question;

// From /proc/self/maps, without libc's allocator or stdio.
static void find_mapping(void *asked) {
  question *q = asked;
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char buffer[4096];
  uint64_t first = 0, second = 0;
  enum { FIRST, SECOND, REST } part = FIRST;
  for (ssize_t size; !q->found && (size = read(fd, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < size && !q->found; i++) {
      char c = buffer[i];
      unsigned digit = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');
      if (c == '\n') { part = FIRST; first = second = 0; }
      else if (part == FIRST && c == '-') part = SECOND;
      else if (part == SECOND && c == ' ') {
        part = REST;
        if (q->address >= first && q->address < second) { q->low = first; q->high = second; q->found = true; }
      }
      else if (part == FIRST) first = first << 4 | digit;
      else if (part == SECOND) second = second << 4 | digit;
    }
  }
  close(fd);
}

bool stack_mapping(uint64_t address, uint64_t *low, uint64_t *high) {
  question asked = {.address = address};
  aside(find_mapping, &asked);
  if (!asked.found) return false;
  *low = asked.low;
  *high = asked.high;
  return true;
}

bool stack_still_mapped(uint64_t low, uint64_t high, void *scratch, size_t size) {
  return (high - low) / PAGE <= size &&
         signals_system_call(SYS_mincore, (long)low, (long)(high - low), (long)scratch, 0) == 0;
}

static bool is_main_thread(void) { return getpid() == (pid_t)syscall(SYS_gettid) && &__libc_stack_end; }

bool stack_is_main(uint64_t address) {
  uint64_t top = &__libc_stack_end ? (uint64_t)__libc_stack_end : 0, first, end;
  return address < top && stack_mapping(top - 8, &first, &end) && address >= first;
}

void stack_bounds(uint64_t here, uint64_t *low, uint64_t *high) {
  // A thread made by glibc has its control block at the top of its stack; the main thread does not. Nearer to the top
  // than this there can be no other stack; farther away, a thread's first event may be on a coroutine's.
  enum { SMALLEST_STACK = 16 * 1024 };
  uint64_t control_block, first, end;
  __asm__("mov %%fs:0, %0" : "=r"(control_block));
  uint64_t top = is_main_thread() ? ((uint64_t)__libc_stack_end + 8) & ~(uint64_t)7 : control_block & ~(uint64_t)7;
  *high = top;
  *low = here & ~(uint64_t)(PAGE - 1);
  if (here < top && top - here < SMALLEST_STACK) return;
  if (stack_mapping(top - 8, &first, &end)) *low = here >= first && here < end ? *low : first;
  else if (here >= top || top - here > LARGEST_GROWTH) *low = *high = 0;
}

bool stack_has_grown(uint64_t here, uint64_t *low, uint64_t high) {
  uint64_t first, end;
  if (here >= *low || high - here > 1ull << 32) return false;
  if (!stack_mapping(here, &first, &end)) {
    // Memory cannot be inspected here; other stacks are hardly ever this close.
    if (*low - here >= LARGEST_GROWTH) return false;
    *low = here & ~(uint64_t)(PAGE - 1);
    return true;
  }
  if (end <= *low) return false;
  // The main stack's mapping grows, and the kernel keeps a gap below it, so there is no need to ask again soon.
  enum { STACK_GAP = 256 * 4096 };
  uint64_t main_stack = &__libc_stack_end ? (uint64_t)__libc_stack_end : 0;
  *low = main_stack >= first && main_stack < end ? first - STACK_GAP : first;
  return true;
}
