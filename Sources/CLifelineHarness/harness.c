#define _GNU_SOURCE
#include "lifeline_harness.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

static lifeline_recorder the_recorder;
uint32_t lifeline_the_switch;

static bool take(void *handle) {
  lifeline_recorder found;
#define X(result, name, parameters)                                     \
  found.name = (result(*) parameters)dlsym(handle, "lifeline_" #name); \
  if (!found.name) return false;
  LIFELINE_CALLS(X)
#undef X
  the_recorder = found;
  return true;
}

const lifeline_recorder *lifeline_harness_recorder(void) { return &the_recorder; }

bool lifeline_harness_attach(void) { return the_recorder.start || take(RTLD_DEFAULT); }

const char *lifeline_harness_load(const char *path) {
  // Never unloaded: the runtime's code leads into it from the start on.
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) return dlerror();
  return take(handle) ? 0 : "it is no probe of this version of Lifeline";
}

bool lifeline_harness_update(void) {
  bool on = the_recorder.is_recording && the_recorder.is_recording();
  __atomic_store_n(&lifeline_the_switch, on, __ATOMIC_RELEASE);
  return on;
}

// A preloaded probe has begun before this runs.
__attribute__((constructor)) static void begin(void) {
  if (lifeline_harness_attach()) lifeline_harness_update();
}

bool lifeline_harness_read(uint64_t address, void *into, uint64_t size) {
  struct iovec local = {into, size}, remote = {(void *)address, size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}
