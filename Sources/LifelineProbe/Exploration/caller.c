#include "Exploration/caller.h"

#include <string.h>

#include "Async/async_context.h"
#include "Backtraces/walk.h"
#include "Exploration/site.h"
#include "Unwinding/image.h"

enum { ANSWERS = 4096, DEEPEST = 32 };
enum layer { PROGRAM, OVERLAY, TASKS, INNER };

// The answer for a return address is in the two highest bits of the same word: libraries are few, and paths long.
static uint64_t answers[ANSWERS];

static enum layer layer_of(const image *in) {
  static const char *const inner[] = {
      "/libc.so",          "/libc-",       "/ld-linux",    "/libpthread",        "/libdispatch.so", "/libswiftCore.so",
      "/libBlocksRuntime", "/libstdc++.so", "/libgcc_s.so", "/libLifelineProbe.so",
  };
  if (!(in->flags & LIFELINE_IMAGE_SYSTEM)) return PROGRAM;
  if (strstr(in->path, "/libswift_Concurrency.so")) return TASKS;
  for (unsigned i = 0; i < sizeof inner / sizeof *inner; i++)
    if (strstr(in->path, inner[i])) return INNER;
  return OVERLAY;
}

static enum layer layer_at(uint64_t address) {
  uint64_t *answer = &answers[site_mix(address) & (ANSWERS - 1)];
  uint64_t known = __atomic_load_n(answer, __ATOMIC_RELAXED);
  if (known && (known & ~(3ull << 62)) == address) return (enum layer)(known >> 62);
  const image *in = image_known(address);
  if (!in) return PROGRAM;  // loaded just now, maybe: the answer may be another one later
  enum layer layer = layer_of(in);
  __atomic_store_n(answer, address | (uint64_t)layer << 62, __ATOMIC_RELAXED);
  return layer;
}

bool caller_is_inner(call_site at) { return layer_at(at[1]) >= TASKS; }

bool caller_is_below_tasks(call_site at) { return layer_at(at[1]) == INNER; }

bool caller_is_program(uint64_t address) {
  const image *in = image_known(address);
  return in && !(in->flags & LIFELINE_IMAGE_SYSTEM) && address >= in->code && address < in->code_end;
}

uint64_t caller_in_program(const thread_state *t, call_site at) {
  if (layer_at(at[1]) == PROGRAM) return at[1];
  walker w = walk_from_call(call_site_slot(at), at[1], at[0] & ~ASYNC_FRAME_BIT, t->stack.low, t->stack.high);
  walked_frame left;
  for (unsigned depth = 0; depth < DEEPEST && walk_step(&w, &left) == WALK_STEPPED; depth++)
    if (layer_at(w.at.pc) == PROGRAM) return w.at.pc;
  return 0;
}
