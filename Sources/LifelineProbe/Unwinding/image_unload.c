// Libraries that go: what was known of their code is forgotten.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "Process/process.h"
#include "Unwinding/image.h"
#include "Unwinding/unwind.h"

/// Takes the place of libc's dlclose: afterwards, images that are gone are recorded as gone.
__attribute__((visibility("default"))) int dlclose(void *handle) {
  static int (*real)(void *);
  if (!real) real = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
  if (!real) return -1;
  if (process_recording()) image_scan();  // what was loaded meanwhile must be known to be missed
  int result = real(handle);
  if (process_recording()) {
    image_drop_missing();
    unwind_forget();
  }
  return result;
}
