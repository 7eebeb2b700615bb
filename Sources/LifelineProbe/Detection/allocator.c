#define _GNU_SOURCE
#include "Detection/allocator.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static size_t (*real_usable_size)(void *);

static void find_real(void) {
  if (!real_usable_size) real_usable_size = (size_t (*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
}

size_t allocator_real_usable_size(void *pointer) {
  find_real();
  return real_usable_size ? real_usable_size(pointer) : 0;
}

size_t allocator_usable_size(size_t size) {
  enum { KNOWN = 4096 };
  static uint32_t known[KNOWN];  // asked once, so that the program's heap is disturbed little
  if (size < KNOWN && __atomic_load_n(&known[size], __ATOMIC_RELAXED)) return known[size];
  find_real();
  void *block = real_usable_size ? malloc(size) : NULL;
  size_t usable = block ? real_usable_size(block) : size;
  free(block);
  if (usable < size) usable = size;
  if (block && size < KNOWN) __atomic_store_n(&known[size], (uint32_t)usable, __ATOMIC_RELAXED);
  return usable;
}

const char *allocator_refuses_guards(void) {
  void *used = dlsym(RTLD_DEFAULT, "malloc_usable_size");
  Dl_info info, ours;
  if (!used || !dladdr(used, &info) || !dladdr((void *)allocator_refuses_guards, &ours)) return NULL;
  // Where the probe is not asked first, libc trusts the header before the object (guard.c); another allocator does
  // not.
  if (info.dli_fbase == ours.dli_fbase || (info.dli_fname && strstr(info.dli_fname, "/libc.so"))) return NULL;
  return "guard pages are off: the program has its own memory allocator, which would be asked about guarded objects";
}

bool allocator_is_sanitizer(void) { return dlsym(RTLD_DEFAULT, "__lsan_register_root_region") != NULL; }
