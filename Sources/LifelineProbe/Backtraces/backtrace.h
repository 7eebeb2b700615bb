#pragma once
// The backtrace of a place: that of the last event, brought up to date (backtrace_state.h).
#include <stdbool.h>
#include <stdint.h>

#include "Backtraces/backtrace_state.h"
#include "Backtraces/call_site.h"

/// Walks the stack to get the backtrace of a place.
backtrace_change backtrace_walk(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp, uint32_t limit);
/// The change from the backtrace of `old`, on trunk[0 ..< kept], to that of the current tip.
backtrace_change backtrace_compare(backtrace *b, const tip *old, uint32_t kept, uint32_t limit);
/// The backtrace of an instruction that faulted; `context` is the ucontext_t of its signal.
backtrace_change backtrace_at_fault(backtrace *b, const void *context, uint32_t limit);
/// Keeps the innermost frames only, so that a new chunk begins with little.
void backtrace_trim(backtrace *b, uint32_t limit);
/// Finds the bounds of the calling thread's stack; the pointer is the program's.
void backtrace_begin_thread(backtrace *b, uint64_t stack_pointer);
/// Whether an object is among the frames of the stack that a hook was called on, which is not the one used last.
bool backtrace_is_in_frames(backtrace *b, uint64_t object, call_site at);
/// Makes the backtrace empty.
void backtrace_clear(backtrace *b);

static inline uint32_t backtrace_depth(const backtrace *b) { return b->kept + b->tip->count; }

/// Whether an object is on the stack that a hook was called on: objects that the compiler promoted to the stack are not
/// recorded.
static inline bool backtrace_is_on_stack(backtrace *b, uint64_t object, call_site at) {
  uint64_t slot = call_site_slot(at);
  if (object < slot || object >= b->high) return false;
  // Another stack may be below this one, and heaps between them.
  return __builtin_expect(slot >= b->low, 1) || backtrace_is_in_frames(b, object, at);
}

/// Site words of a tip's frames, outermost first.
static inline const uint64_t *backtrace_tip_words(const tip *t) { return t->branch ? t->branch->word : t->word; }

/// Site word of a frame, 0 being the outermost.
static inline uint64_t backtrace_word(const backtrace *b, uint32_t i) {
  return i < b->kept ? b->word[i] : backtrace_tip_words(b->tip)[i - b->kept];
}

/// A number below TIPS for what `key` is made of.
static inline uint32_t backtrace_slot(uint64_t key) { return (uint32_t)(key * 0x9E3779B97F4A7C15ull >> 54); }

/// The tip that a call site had last.
static inline tip **backtrace_latest(backtrace *b, uint64_t slot, uint64_t pc) {
  return &b->latest[backtrace_slot(pc ^ slot >> 3)];
}

/// Whether the memory that trunk[from ..< to] was read from is unchanged.
static inline __attribute__((always_inline)) bool backtrace_holds(const backtrace *b, uint32_t from, uint32_t to) {
  uint32_t pair = b->first_pair[from], word = b->first_word[from];
  return verify_pairs(b->pairs + pair, b->first_pair[to] - pair) &&
         !verify_words(b->words + word, b->first_word[to] - word);
}

/// Whether the memory that a tip and its part of the trunk were read from is unchanged.
static inline __attribute__((always_inline)) bool backtrace_all_holds(const tip *t, trunk_checks trunk) {
  return verify_three_and_pairs(t->pairs, trunk.pairs, trunk.pair_count) &&
         !(verify_words(t->words, t->word_count) | verify_words(trunk.words, trunk.word_count));
}

/// The same for what a branch was read from.
static inline bool backtrace_branch_holds(branch *r) {
  if (!verify_pairs(r->pairs, r->pair_count) || verify_words(r->words, r->word_count)) return false;
  r->uses++;
  return true;
}

/// Whether the tip is valid for its call site. Everything is read at addresses between two known slots of
/// this stack.
static inline __attribute__((always_inline)) bool backtrace_tip_holds(const backtrace *b, const tip *t, uint64_t rbp,
                                                                      uint32_t limit) {
  uint32_t depth = t->kept + t->count, base = t->kept - 1;
  if (depth < b->least || t->kept > b->depth) return false;
  uint64_t changed = ((rbp ^ t->rbp) & t->rbp_mask) | (b->slot[base] ^ t->base_slot) | (b->pc[base] ^ t->base_pc) |
                     (b->rbp[base] ^ t->base_rbp);
  return !changed && backtrace_all_holds(t, backtrace_checks(b, t, limit)) &&
         (!t->branch || backtrace_branch_holds(t->branch));
}

/// Recognizes what most events are: the tip that followed the last one when it was last there. NULL when it is not
/// that. As the trunk is what it was then, so is `least`, and the frame that it grows from need not be compared.
static inline __attribute__((always_inline)) tip *backtrace_expected(const backtrace *b, call_site at) {
  const tip *old = b->tip;
  tip *t = old->next;
  if (t->slot != call_site_slot(at) || t->pc != at[1] || ((at[0] ^ t->rbp) & t->rbp_mask) || t->from != old->serial ||
      t->trunk_version != b->trunk_version || b->generation != __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED))
    return NULL;
  trunk_checks trunk = {t->trunk_pairs, t->trunk_words, t->trunk_pair_count, t->trunk_word_count};
  return backtrace_all_holds(t, trunk) ? t : NULL;
}

/// Brings `b` up to date with the given place.
static inline __attribute__((always_inline)) backtrace_change backtrace_update(backtrace *b, call_site at,
                                                                               uint32_t limit) {
  uint64_t slot = call_site_slot(at), pc = at[1], rbp = at[0];
  tip *old = b->tip, *t = old->next;
  if (t->slot != slot || t->pc != pc) t = *backtrace_latest(b, slot, pc);
  bool same_code = b->generation == __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (t->slot != slot || t->pc != pc || !same_code || !backtrace_tip_holds(b, t, rbp, limit))
    return backtrace_walk(b, slot, pc, rbp, limit);
  uint32_t kept = b->kept;
  b->tip = old->next = t;
  b->kept = t->kept;
  b->recognized++;
  uint64_t from = t->branch ? t->branch->from : t->from;
  if (from == old->serial && t->trunk_version == b->trunk_version)
    return (backtrace_change){t->pops, t->pushes, old->context};
  return backtrace_compare(b, old, kept, limit);
}
