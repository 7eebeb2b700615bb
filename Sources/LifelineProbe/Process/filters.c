#define _GNU_SOURCE
#include "Process/filters.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

// Only the program's own filters could be harmful, and none can be new since the start: without CAP_SYS_ADMIN a
// process must give up new privileges before it may set one (seccomp(2)), and that can be asked.
static bool are_inherited;

static bool has_given_up_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0; }

/// The number after "KEY:\t" in /proc/self/status, or `otherwise` if there is none.
static unsigned long long value(const char *status, const char *key, int base, unsigned long long otherwise) {
  const char *line = strstr(status, key);
  return line ? strtoull(line + strlen(key), NULL, base) : otherwise;
}

void filters_note(unsigned inherited) {
  are_inherited = false;
  if (!inherited || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER || has_given_up_privileges()) return;
  char status[8192];
  int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  size_t size = 0;
  ssize_t count;
  while (size < sizeof status - 1 && (count = read(fd, status + size, sizeof status - 1 - size)) > 0)
    size += (size_t)count;
  close(fd);
  status[size] = 0;
  bool may_add = value(status, "\nCapPrm:", 16, ~0ull) >> CAP_SYS_ADMIN & 1;
  are_inherited = !may_add && value(status, "\nSeccomp_filters:", 10, 0) == inherited;
}

bool filters_are_known(void) {
  int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
  return mode == 0 || (mode == SECCOMP_MODE_FILTER && are_inherited && !has_given_up_privileges());
}
