// The floor of every recorder of this kind: detours that record nothing.
//
// swift_retain, swift_release and swift_allocObject become a jump to a function that goes on to the runtime's
// own implementation; with EMPTY_DETOUR=store that function writes 16 bytes to a reused buffer first, with
// EMPTY_DETOUR=clock it reads the time stamp counter. What a recorder costs beyond this is its own doing. Preload it
// into a program that links libswiftCore.so.
#include "empty_detour.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <x86intrin.h>

typedef void *(*retain_function)(void *);
typedef void (*release_function)(void *);
typedef void *(*alloc_function)(const void *, size_t, size_t);

// Until somebody replaces them these lead to the implementations that the patched functions would have run.
extern retain_function _swift_retain;
extern release_function _swift_release;
extern alloc_function _swift_allocObject;
extern void *swift_retain(void *);
extern void swift_release(void *);
extern void *swift_allocObject(const void *, size_t, size_t);

static retain_function original_retain;
static release_function original_release;
static alloc_function original_alloc;
static __thread volatile uint64_t last_clock __attribute__((tls_model("initial-exec")));

static void *empty_retain(void *object) { return original_retain(object); }
static void empty_release(void *object) { original_release(object); }
static void *empty_alloc(const void *type, size_t size, size_t mask) { return original_alloc(type, size, mask); }

static void *clock_retain(void *object) {
  last_clock = __rdtsc();
  return original_retain(object);
}
static void clock_release(void *object) {
  last_clock = __rdtsc();
  original_release(object);
}
static void *clock_alloc(const void *type, size_t size, size_t mask) {
  last_clock = __rdtsc();
  return original_alloc(type, size, mask);
}

enum { RECORDS = 65536 };  // 1 MiB
static __thread struct {
  const void *object;
  void *caller;
} records[RECORDS] __attribute__((tls_model("initial-exec")));
static __thread uint32_t next_record __attribute__((tls_model("initial-exec")));

static inline void store(const void *object, void *caller) {
  uint32_t i = next_record++ % RECORDS;
  records[i].object = object;
  records[i].caller = caller;
}

static void *store_retain(void *object) {
  store(object, __builtin_return_address(0));
  return original_retain(object);
}
static void store_release(void *object) {
  store(object, __builtin_return_address(0));
  original_release(object);
}
static void *store_alloc(const void *type, size_t size, size_t mask) {
  store(type, __builtin_return_address(0));
  return original_alloc(type, size, mask);
}

/// Overwrites the first 14 bytes of a function by a jump; no thread but this one runs yet.
static void detour(void *function, const void *hook) {
  static const uint8_t jump[6] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
  uintptr_t page = (uintptr_t)function & ~(uintptr_t)4095;
  if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    perror("the empty detour cannot be installed: mprotect");
    exit(70);
  }
  memcpy(function, jump, sizeof jump);
  memcpy((uint8_t *)function + sizeof jump, &hook, sizeof hook);
  mprotect((void *)page, 8192, PROT_READ | PROT_EXEC);
}

__attribute__((constructor)) static void install(void) {
  const char *mode = getenv("EMPTY_DETOUR");
  int clock = mode && !strcmp(mode, "clock"), stores = mode && !strcmp(mode, "store");
  original_retain = _swift_retain;
  original_release = _swift_release;
  original_alloc = _swift_allocObject;
  detour((void *)swift_retain, clock ? (void *)clock_retain : stores ? (void *)store_retain : (void *)empty_retain);
  detour((void *)swift_release, clock ? (void *)clock_release : stores ? (void *)store_release : (void *)empty_release);
  detour((void *)swift_allocObject, clock ? (void *)clock_alloc : stores ? (void *)store_alloc : (void *)empty_alloc);
}
