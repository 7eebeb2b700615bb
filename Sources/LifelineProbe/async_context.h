#pragma once
// An asynchronous function keeps its context below its frame pointer, and a context begins with its caller's
// (swift/ABI/Task.h, AsyncContext). Where the compiler was asked for it (-swift-async-frame-pointer), the rbp that such
// a function saves is marked with a bit.
//
//     rbp − 8     rbp                rbp + 8            context      context + 8
//   ┌───────────┬──────────────────┬────────────────┐ ┌──────────┬───────────────┐
//   │ context   │ caller's rbp (B) │ return address │ │ parent   │ resume parent │
//   └───────────┴──────────────────┴────────────────┘ └──────────┴───────────────┘
#include <stdint.h>

#include "lifeline_format.h"

#define ASYNC_FRAME_BIT (1ull << 60)

enum { ASYNC_LIMIT = 128 };

/// The callers of an asynchronous function, the innermost first: they wait for it, so their contexts are alive.
static inline uint32_t async_callers(uint64_t context, uint64_t *words, uint32_t limit) {
  uint32_t count = 0;
  while (context && !(context & 7) && count < limit) {
    uint64_t resume = *(const uint64_t *)(context + 8);
    if (!resume) break;
    words[count++] = resume << 2 | LIFELINE_SITE_ASYNC;
    context = *(const uint64_t *)context;
  }
  return count;
}
