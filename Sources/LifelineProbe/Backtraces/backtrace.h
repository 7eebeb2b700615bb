#pragma once
// Backtraces: the thread's frames are kept with the stack slots they came from. If every slot still holds
// what it held, they are still the frames; otherwise only those that changed are walked again.
//
// Why that is exact: equal program counter, stack pointer and rbp give the same unwind rule, so the same
// slots; equal slots give the caller's equal program counter, stack pointer and rbp; and so on outwards.
//
// A backtrace is the outer part of the *trunk*, and a *tip* of a few frames that grows from it. Events of one
// function, or of a loop, differ in their tips only; each tip is kept, with what followed it, and recognised
// by its call site.
//
//     trunk   ┌───┬───┬───┬───┬───┬─ ─ ─┐       outermost first; frames beyond `kept` are of earlier
//             │ 0 │ 1 │ 2 │ 3 │ 4 │     │       backtraces, and may come true again
//             └───┴───┴───┴───┴─┬─┴─ ─ ─┘
//     tip                       ├───┬───┐
//                    kept = 5 ──┘ A │ R │       R: the call of the hook
//                               └───┴───┘
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/verify.h"
#include "Backtraces/walk.h"

#define TIP_UNFORETOLD UINT64_MAX

enum { BACKTRACE_CAPACITY = 4096, BACKTRACE_ASYNC_LIMIT = 128, TIP_FRAMES = 3, TIP_SLOTS = 256 };

/// The place a hook was called from, as the hook's own frame shows it; valid while the hook runs.
///
///   at[0] the caller's rbp      at[1] the return address, whose own address orders frames
typedef const uint64_t *call_site;

/// For use in a hook: this makes it keep a frame pointer.
#define CALL_SITE() ((call_site)__builtin_frame_address(0))

static inline uint64_t call_site_slot(call_site at) { return (uint64_t)(at + 1); }

typedef struct tip {
  uint64_t slot, pc, rbp;  // the call site; slot 0 when there is none
  uint64_t rbp_mask;       // 0 when the way outwards does not depend on its rbp
  uint32_t kept;           // it grows from trunk[kept - 1] …
  uint32_t count;          // … and has that many frames, 1…TIP_FRAMES
  uint64_t base_slot, base_pc, base_rbp;  // what that frame of the trunk was
  uint32_t word_count;  // `words` in use
  struct tip *next;  // the one that came after it last time
  uint64_t serial;   // unique among all tips that were made
  // The change when it follows the tip `from` and the trunk is still what it was.
  uint64_t from, trunk_version;
  uint32_t pops, pushes;
  uint64_t foretold;  // version of the prediction (thread.h) that is this change, or TIP_UNFORETOLD
  uint32_t context;   // lifeline_prediction_context of what follows it
  verify_pair pairs[TIP_FRAMES];  // these and `words` must still be in memory for the tip to be true
  uint64_t word[TIP_FRAMES];  // site words, outermost first
  verify_word words[3 * TIP_FRAMES];
} tip;

typedef struct backtrace {
  tip *tip;        // of the last event
  uint32_t kept;   // frames of the trunk that belong to the last event
  uint32_t depth;  // frames of the trunk
  uint32_t least;  // backtraces with fewer frames are walked: what is left of a truncated one would be too little
  uint32_t walks, recognised;  // since `plain` was chosen
  bool plain;      // tips are not made
  bool truncated;  // begins with a mark that the outer frames were left out
  bool uncacheable;  // crossed a signal frame or a foreign stack: slots are not ordered
  uint64_t generation;             // unwind_generation at the last walk: equal addresses meant the same code since
  uint64_t low, high;              // bounds of the stack
  uint64_t other_low, other_high;  // bounds of the foreign stack used last
  uint64_t serial;                 // of the tip made last
  uint64_t trunk_version;          // changes with the trunk

  // The trunk, one array per property: a comparison of all frames reads only what it needs.
  // The odd lengths keep equal indices off equal page offsets, where a load waits for an unrelated store.
  uint64_t slot[BACKTRACE_CAPACITY + 24];
  uint64_t pc[BACKTRACE_CAPACITY + 24];
  uint64_t rbp[BACKTRACE_CAPACITY + 24];  // 0 where the way outwards does not depend on it
  uint64_t word[BACKTRACE_CAPACITY + 24];
  bool uses_rbp[BACKTRACE_CAPACITY + 24];

  // What must still be in memory for the frames to be true: the return address of each and, where a frame's
  // rbp matters and was saved by its callee, that word. Mostly the two are neighbours, as `push %rbp` puts them,
  // and are compared at once. Frame i has the pairs [first_pair[i], first_pair[i + 1]) and likewise words.
  uint32_t first_pair[BACKTRACE_CAPACITY + 80];
  uint32_t first_word[BACKTRACE_CAPACITY + 80];
  verify_pair pairs[BACKTRACE_CAPACITY + 24];
  verify_word words[3 * BACKTRACE_CAPACITY + 24];

  tip tips[TIP_SLOTS];      // by call site and word outside of it: a function called from two places has two
  tip *latest[TIP_SLOTS];   // by call site
  tip loose;  // the tip of a backtrace that cannot be recognised
  walked_frame fresh[BACKTRACE_CAPACITY / 2 + BACKTRACE_ASYNC_LIMIT];  // scratch, innermost first: a hook may not use much of the program's stack
} backtrace;

typedef struct backtrace_change {
  uint32_t pops;    // frames that the previous backtrace has and this one does not
  uint32_t pushes;  // frames that this one has and the previous has not
  uint32_t context; // lifeline_prediction_context of the previous one
} backtrace_change;

/// Walks to find out what the backtrace of a place is.
backtrace_change backtrace_walk(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp, uint32_t limit);
/// What leads from the backtrace of `old`, on trunk[0 ..< kept], to that of the present tip.
backtrace_change backtrace_compare(backtrace *b, const tip *old, uint32_t kept);
/// The backtrace of an instruction that faulted; `context` is the ucontext_t of its signal.
backtrace_change backtrace_at_fault(backtrace *b, const void *context, uint32_t limit);
/// Keeps the innermost frames only, so that a new chunk begins with little.
void backtrace_trim(backtrace *b, uint32_t limit);
/// Finds the bounds of the calling thread's stack.
void backtrace_begin_thread(backtrace *b);
/// Makes the backtrace empty.
void backtrace_clear(backtrace *b);

static inline uint32_t backtrace_depth(const backtrace *b) { return b->kept + b->tip->count; }

/// Site word of a frame, 0 being the outermost.
static inline uint64_t backtrace_word(const backtrace *b, uint32_t i) { return i < b->kept ? b->word[i] : b->tip->word[i - b->kept]; }

/// The tip that a call site had last.
static inline tip **backtrace_latest(backtrace *b, uint64_t slot, uint64_t pc) {
  return &b->latest[(pc ^ slot >> 3) * 0x9E3779B97F4A7C15ull >> 56];
}

/// Frames outside of the innermost `limit` belong to no backtrace and are not checked.
static inline uint32_t backtrace_window(uint32_t depth, uint32_t limit) { return depth > limit ? depth - limit : 0; }

/// Whether memory still holds what trunk[from ..< to] was read from.
static inline __attribute__((always_inline)) bool backtrace_holds(const backtrace *b, uint32_t from, uint32_t to) {
  uint32_t pair = b->first_pair[from], word = b->first_word[from];
  return verify_pairs(b->pairs + pair, b->first_pair[to] - pair) && verify_words(b->words + word, b->first_word[to] - word);
}

/// Whether memory still holds what a tip, and the trunk that it grows from, were read from.
static inline __attribute__((always_inline)) bool backtrace_all_holds(const backtrace *b, const tip *t, uint32_t limit) {
  uint32_t base = t->kept - 1, from = backtrace_window(t->kept + t->count, limit);
  if (from > base) from = base;
  uint32_t pair = b->first_pair[from], word = b->first_word[from];
  return verify_three_and_pairs(t->pairs, b->pairs + pair, b->first_pair[base] - pair) && verify_words(t->words, t->word_count) &&
         verify_words(b->words + word, b->first_word[base] - word);
}

/// Whether the tip is the truth about its call site. Everything is read at addresses between two known slots of
/// this stack.
static inline __attribute__((always_inline)) bool backtrace_tip_holds(const backtrace *b, const tip *t, uint64_t rbp, uint32_t limit) {
  uint32_t depth = t->kept + t->count, base = t->kept - 1;
  if (depth < b->least || t->kept > b->depth) return false;
  uint64_t changed = ((rbp ^ t->rbp) & t->rbp_mask) | (b->slot[base] ^ t->base_slot) | (b->pc[base] ^ t->base_pc) | (b->rbp[base] ^ t->base_rbp);
  return !changed && backtrace_all_holds(b, t, limit);
}

/// Recognises what most events are: the tip that followed the last one when it was last there. NULL when it is not
/// that. As the trunk is what it was then, the frame that it grows from need not be compared.
static inline __attribute__((always_inline)) tip *backtrace_expected(const backtrace *b, call_site at, uint32_t limit) {
  const tip *old = b->tip;
  tip *t = old->next;
  if (t->slot != call_site_slot(at) || t->pc != at[1] || ((at[0] ^ t->rbp) & t->rbp_mask) || t->from != old->serial ||
      t->trunk_version != b->trunk_version || t->kept + t->count < b->least || b->generation != __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED))
    return NULL;
  return backtrace_all_holds(b, t, limit) ? t : NULL;
}

/// Brings `b` up to date with the given place.
static inline __attribute__((always_inline)) backtrace_change backtrace_update(backtrace *b, call_site at, uint32_t limit) {
  uint64_t slot = call_site_slot(at), pc = at[1], rbp = at[0];
  tip *old = b->tip, *t = old->next;
  if (t->slot != slot || t->pc != pc) t = *backtrace_latest(b, slot, pc);
  bool same_code = b->generation == __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (t->slot != slot || t->pc != pc || !same_code || !backtrace_tip_holds(b, t, rbp, limit)) return backtrace_walk(b, slot, pc, rbp, limit);
  uint32_t kept = b->kept;
  b->tip = old->next = t;
  b->kept = t->kept;
  b->recognised++;
  if (t->from == old->serial && t->trunk_version == b->trunk_version) return (backtrace_change){t->pops, t->pushes, old->context};
  return backtrace_compare(b, old, kept);
}
