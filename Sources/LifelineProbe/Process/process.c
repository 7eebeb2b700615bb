#include "Process/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Process/clock.h"
#include "Process/signals.h"

process_state *the_process;
void (*process_begin_child)(void);

bool process_is_recording(void) {
  if (__atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_NEW && process_begin_child)
    process_begin_child();
  while (__atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_BEGINNING)
    signals_system_call(SYS_sched_yield, 0, 0, 0, 0);
  return process_recording();
}

uint32_t process_age(void) {
  enum { START = 20 /* place after the name in parentheses, proc(5) */ };
  char text[1024];
  int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[length < 0 ? 0 : length] = 0;
  const char *field = strrchr(text, ')');
  for (int i = 0; field && i < START; i++) field = strchr(field + 1, ' ');
  if (!field) return 0;
  uint64_t start = strtoull(field, NULL, 10) * 10 / (uint64_t)sysconf(_SC_CLK_TCK);
  uint64_t now = clock_nanoseconds(CLOCK_BOOTTIME) / 100000000;
  return now < start ? 0 : (uint32_t)(now - start);
}
