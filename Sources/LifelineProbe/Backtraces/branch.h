#pragma once
// Where tips and their branches are kept: for backtrace.c only, which is inlined whole.
#include "Backtraces/backtrace_state.h"

/// No tip is recognized any more.
static inline void forget_tips(backtrace *b) {
  b->loose.next = &b->loose;
  for (uint32_t i = 0; i < TIPS; i++) b->latest[i] = &b->loose;
}

/// The tip that the innermost `frames` of what was walked had last, or a new one or the oldest in its place.
static inline tip *tip_by_path(backtrace *b, const walked_frame *base, uint32_t frames) {
  const walked_frame *call = b->fresh;
  uint64_t outside = frames > 1 ? call[1].pc : base->pc;
  // Long tips of one call differ in any frame.
  if (frames > TIP_FRAMES)
    for (uint32_t i = 2; i < frames; i++) outside = 3 * outside + call[i].pc;
  tip **home = &b->by_path[backtrace_slot((call->pc ^ call->slot >> 3) + 3 * outside)], *t = *home;
  if (t && t->home == home) return t;
  t = *home = &b->tips[b->tip_count++ % TIPS];
  t->home = home;
  return t;
}

/// Gives a tip of more than TIP_FRAMES frames a branch, the oldest one if need be, and takes it from a shorter one.
static inline void choose_branch(backtrace *b, tip *t, uint32_t frames) {
  branch *r = t->branch;
  if (frames <= TIP_FRAMES) {
    if (r) r->tip = NULL;
    t->branch = NULL;
    return;
  }
  if (!r) {
    r = &b->branches[b->branch_count++ % BRANCHES];
    if (r->tip) {
      r->tip->slot = 0;
      r->tip->branch = NULL;
    }
    r->tip = t;
    t->branch = r;
  }
  if (r->pair_count + r->word_count) {
    if (!r->uses && b->branch_credit) b->branch_credit--;
    if (r->uses && b->branch_credit < BRANCHES) b->branch_credit++;
  }
  r->uses = 0;
}

/// Whether a call site is met again at the same depth, by a way outwards that is not the trunk's any more.
static inline bool recurs(backtrace *b, uint32_t n, uint32_t count, uint32_t limit) {
  const walked_frame *call = b->fresh;
  const tip *t = *backtrace_latest(b, call->slot, call->pc);
  return n && count > TIP_FRAMES && count <= BRANCH_FRAMES && count < limit && b->branch_credit &&
         t->slot == call->slot && t->pc == call->pc && t->kept + t->count == n + count;
}
