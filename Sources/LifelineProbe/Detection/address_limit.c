// A program may limit its own address space; guard pages reserve far more addresses than they use.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Detection/guard.h"

static int limit(pid_t process, int resource, const void *new, void *old) {
  if (resource == RLIMIT_AS && new) guard_shrink();
  return (int)syscall(SYS_prlimit64, process, resource, new, old);
}

// On 64-bit machines the two forms of each function are one.
__attribute__((visibility("default"))) int setrlimit(__rlimit_resource_t resource, const struct rlimit *new) {
  return limit(0, (int)resource, new, NULL);
}

__attribute__((visibility("default"))) int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *new) {
  return limit(0, (int)resource, new, NULL);
}

__attribute__((visibility("default"))) int prlimit(pid_t process, enum __rlimit_resource resource,
                                                   const struct rlimit *new, struct rlimit *old) {
  return limit(process, (int)resource, new, old);
}

__attribute__((visibility("default"))) int prlimit64(pid_t process, enum __rlimit_resource resource,
                                                     const struct rlimit64 *new, struct rlimit64 *old) {
  return limit(process, (int)resource, new, old);
}
