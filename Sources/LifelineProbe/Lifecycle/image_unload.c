// Unloaded libraries: what was known of their code and classes is forgotten, since others may get their addresses.
#define _GNU_SOURCE
#include "Lifecycle/image_unload.h"

#include <dlfcn.h>

#include "Detection/zombie.h"
#include "Objects/class.h"
#include "Process/process.h"
#include "Unwinding/image.h"
#include "Unwinding/unwind.h"

static void forget(uint64_t first, uint64_t end) {
  class_forget(first, end);
  zombie_forget(first, end);
}

void image_forget_missing(void) {
  image_drop_missing(forget);
  unwind_forget();
}

/// Takes the place of libc's dlclose: afterwards, images that are gone are recorded as gone.
__attribute__((visibility("default"))) int dlclose(void *handle) {
  static int (*real)(void *);
  if (!real) real = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
  if (!real) return -1;
  if (process_recording()) image_scan();  // libraries loaded meanwhile must be registered to be missed later
  int result = real(handle);
  if (process_recording()) image_forget_missing();
  return result;
}
