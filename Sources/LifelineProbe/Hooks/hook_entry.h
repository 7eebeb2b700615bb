#pragma once
// An entry point of the runtime and its hook.
#include <stdint.h>

/// A call that leaves no frame behind, and a function that is never part of the hook that calls it.
#define TAIL_CALL __attribute__((musttail)) return
#define OUT_OF_LINE __attribute__((noinline)) static

typedef struct hook_entry {
  const char *name;   // without "swift_"
  void *hook;         // of this recording, or NULL when the entry point is left alone
  void **original;    // where to store what does the function's work after the detour
  uint32_t status;    // LIFELINE_DETOUR_*
  uint32_t access;    // LIFELINE_ACCESS_* that a call of it is, or 0
  void *whole;        // the hook that records everything
} hook_entry;
