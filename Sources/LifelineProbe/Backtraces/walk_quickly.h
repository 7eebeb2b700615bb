#pragma once
// A step outwards by the rules that nearly all code has: the most executed code of the recorder after the comparison.
#include "Async/async_context.h"
#include "Backtraces/walk.h"
#include "lifeline_format.h"

static inline __attribute__((always_inline)) bool walk_arrive(walked_frame *f, uint64_t slot, uint64_t rbp) {
  uint64_t pc = *(const uint64_t *)slot;
  f->anchor = NULL;
  f->rbp = rbp;
  f->slot = slot;
  f->pc = pc;
  f->word = pc << 2 | LIFELINE_SITE_RETURN;
  return pc != 0;
}

/// Goes from `left` to its caller, on a stack that ends at `high`; false where that needs walk_step.
static inline __attribute__((always_inline)) bool walk_quickly(walked_frame *left, walked_frame *f, uint64_t high) {
  unwind_rule rule = unwind_find(left->pc, true);
  uint64_t low = left->slot, rbp = left->rbp;
  if (__builtin_expect(rule == UNWIND_FRAME_POINTER, 1)) {
    if (rbp <= low || rbp >= high - 8 || (rbp & 7)) return false;
    left->uses_rbp = true;
    f->rbp_slot = (const uint64_t *)rbp;
    f->rbp_saved = *f->rbp_slot;
    return walk_arrive(f, rbp + 8, f->rbp_saved & ~ASYNC_FRAME_BIT);
  }
  bool from_rbp = unwind_kind_of(rule) == UNWIND_FROM_RBP, saves_rbp = unwind_saves_rbp(rule);
  if (!from_rbp && unwind_kind_of(rule) != UNWIND_FROM_RSP) return false;
  uint64_t slot = (from_rbp ? rbp : low + 8) + (uint64_t)unwind_cfa_offset(rule) - 8;
  if (slot <= low || slot >= high || (slot & 7)) return false;
  left->uses_rbp = from_rbp || !saves_rbp;
  f->rbp_slot = NULL;
  if (saves_rbp) {
    uint64_t rbp_slot = slot + 8 + (uint64_t)unwind_rbp_offset(rule);
    if (rbp_slot <= low || rbp_slot >= high || (rbp_slot & 7)) return false;
    f->rbp_slot = (const uint64_t *)rbp_slot;
    f->rbp_saved = *f->rbp_slot;
    rbp = f->rbp_saved & ~ASYNC_FRAME_BIT;
  }
  return walk_arrive(f, slot, rbp);
}
