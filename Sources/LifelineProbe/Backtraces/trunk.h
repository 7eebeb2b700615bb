#pragma once
// The trunk of a backtrace, and what must stay in memory for it to be valid: for backtrace.c only, which is inlined
// whole.
#include "Backtraces/backtrace_state.h"

/// Where a list of checks grows.
typedef struct checks {
  verify_pair *pairs;
  verify_word *words;
} checks;

static inline void add_word(checks *c, const uint64_t *address, uint64_t value) {
  *c->words++ = (verify_word){address, value};
}

/// What must be in memory for a walk to reach this frame.
__attribute__((noinline)) static void add_checks(checks *c, const walked_frame *f, bool uses_rbp) {
  if (f->slot == UINT64_MAX) return;
  bool rbp_matters = uses_rbp && f->rbp_slot;
  if (rbp_matters && (uint64_t)f->rbp_slot == f->slot - 8) {
    c->pairs->address = f->rbp_slot;
    c->pairs->rbp = f->rbp_saved;
    c->pairs++->pc = f->pc;
  } else {
    add_word(c, (const uint64_t *)f->slot, f->pc);
    if (rbp_matters) add_word(c, f->rbp_slot, f->rbp_saved);
  }
  if (f->anchor) add_word(c, f->anchor, f->slot + 8);
}

/// The trunk grows by a frame.
static inline __attribute__((always_inline)) void push(backtrace *b, const walked_frame *f, bool uses_rbp) {
  uint32_t i = b->depth++, pairs = b->first_pair[i], words = b->first_word[i];
  b->slot[i] = f->slot;
  b->pc[i] = f->pc;
  b->rbp[i] = uses_rbp ? f->rbp : 0;
  b->uses_rbp[i] = uses_rbp;
  b->word[i] = f->word;
  if (uses_rbp && (uint64_t)f->rbp_slot == f->slot - 8 && !f->anchor) {
    b->pairs[pairs].address = f->rbp_slot;
    b->pairs[pairs].rbp = f->rbp_saved;
    b->pairs[pairs].pc = f->pc;
    pairs++;
  } else {
    checks c = {b->pairs + pairs, b->words + words};
    add_checks(&c, f, uses_rbp);
    pairs = (uint32_t)(c.pairs - b->pairs);
    words = (uint32_t)(c.words - b->words);
  }
  b->first_pair[i + 1] = pairs;
  b->first_word[i + 1] = words;
}

/// Whether a frame of the trunk is the one that was walked to.
static inline bool is_frame(const backtrace *b, uint32_t i, const walked_frame *f) {
  return b->slot[i] == f->slot && b->pc[i] == f->pc && b->rbp[i] == (b->uses_rbp[i] ? f->rbp : 0);
}

/// Whether a frame of the trunk was last seen with its rbp saved as it is now.
static inline bool has_callee(const backtrace *b, uint32_t i, const walked_frame *f) {
  uint32_t pair = b->first_pair[i];
  return b->first_pair[i + 1] == pair + 1 && b->first_word[i + 1] == b->first_word[i] &&
         b->pairs[pair].address == f->rbp_slot && b->pairs[pair].rbp == f->rbp_saved;
}

/// The trunk becomes trunk[0 ..< n] and all of fresh[0 ..< count] but the innermost `frames`.
static inline void grow(backtrace *b, uint32_t n, const walked_frame *base, uint32_t count, uint32_t frames) {
  b->trunk_version++;
  b->depth = n;
  if (n && !has_callee(b, n - 1, base)) {
    b->depth--;
    push(b, base, b->uses_rbp[n - 1]);
  }
  for (uint32_t i = count; i > frames; i--) push(b, &b->fresh[i - 1], b->fresh[i - 1].uses_rbp);
}

/// What a tip is when it follows another one on the trunk as it is now.
static inline void follow(const backtrace *b, tip *t, uint64_t from, backtrace_change change, uint32_t limit) {
  trunk_checks trunk = backtrace_checks(b, t, limit);
  // A long tip is never expected, so that nothing has to be asked about a branch when a short one is.
  t->from = t->branch ? UINT64_MAX : from;
  if (t->branch) t->branch->from = from;
  t->trunk_version = b->trunk_version;
  t->pops = change.pops;
  t->pushes = change.pushes;
  t->trunk_pairs = trunk.pairs;
  t->trunk_words = trunk.words;
  t->trunk_pair_count = trunk.pair_count;
  t->trunk_word_count = trunk.word_count;
}

/// The outermost of trunk[from ..< end] that is no longer true, when some are not.
__attribute__((noinline)) static uint32_t outermost_stale(const backtrace *b, uint32_t from, uint32_t end) {
  while (end - from > 1) {
    uint32_t middle = from + (end - from) / 2;
    if (backtrace_holds(b, from, middle)) from = middle;
    else end = middle;
  }
  return from;
}

/// The outermost of trunk[from ..< end] that is no longer true, or `end`.
static inline __attribute__((always_inline)) uint32_t first_stale(const backtrace *b, uint32_t from, uint32_t end) {
  return from >= end || backtrace_holds(b, from, end) ? end : outermost_stale(b, from, end);
}
