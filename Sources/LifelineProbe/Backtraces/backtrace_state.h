#pragma once
// Backtraces: the thread's frames are kept with the stack slots they came from. If every slot still holds
// what it held, they are still the frames; otherwise only those that changed are walked again.
//
// Why that is exact: equal program counter, stack pointer and rbp give the same unwind rule, so the same
// slots; equal slots give the caller's equal program counter, stack pointer and rbp; and so on outwards.
//
// A backtrace is the outer part of the *trunk*, and a *tip* of a few frames that grows from it. Events of one
// function, or of a loop, differ in their tips only; each tip is kept, with what followed it, and recognized
// by its call site.
//
//     trunk   ┌───┬───┬───┬───┬───┬─ ─ ─┐       outermost first; frames beyond `kept` are of earlier
//             │ 0 │ 1 │ 2 │ 3 │ 4 │     │       backtraces, and may come true again
//             └───┴───┴───┴───┴─┬─┴─ ─ ─┘
//     tip                       ├───┬───┐
//                    kept = 5 ──┘ A │ R │       R: the call of the hook
//                               └───┴───┘
//
// A thread that goes back and forth between parts of its stack would build the trunk anew each time. Such a part
// becomes a long tip, whose checks are in a branch, and the trunk remains.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/verify.h"
#include "Backtraces/walk.h"

#define TIP_UNFORETOLD UINT64_MAX

enum { BACKTRACE_CAPACITY = 4096, BACKTRACE_ASYNC_LIMIT = 128, TIP_FRAMES = 3, TIPS = 1024, OTHER_STACKS = 32 };
enum { BRANCH_FRAMES = 48, BRANCHES = 64 };

/// What must be in memory for a long tip to be true.
typedef struct branch {
  struct tip *tip;  // whose it is, or NULL
  uint32_t uses;    // how often that was recognized
  uint32_t pair_count, word_count;
  uint64_t from;    // as in a tip
  uint64_t word[BRANCH_FRAMES];  // site words, outermost first
  verify_pair pairs[BRANCH_FRAMES];
  verify_word words[3 * BRANCH_FRAMES];
} branch;

typedef struct tip {
  uint64_t slot, pc, rbp;  // the call site; slot 0 when there is none
  uint64_t rbp_mask;       // 0 when the callers do not depend on its rbp
  uint32_t kept;           // it grows from trunk[kept - 1] …
  uint32_t count;          // … and has that many frames, 1…TIP_FRAMES, or BRANCH_FRAMES with a branch
  uint64_t base_slot, base_pc, base_rbp;  // that frame of the trunk, as it was
  uint32_t word_count;  // `words` in use
  struct tip *next;  // the tip that followed it last time
  uint64_t serial;   // unique among all tips that were made
  // The change when it follows the tip `from` and the trunk is still what it was; and what of the trunk must then still
  // be in memory.
  uint64_t from, trunk_version;
  uint32_t pops, pushes;
  const verify_pair *trunk_pairs;
  const verify_word *trunk_words;
  uint32_t trunk_pair_count, trunk_word_count;
  uint64_t foretold;  // version of the prediction (thread.h) that is this change, or TIP_UNFORETOLD
  uint32_t context;   // lifeline_prediction_context of what follows it
  verify_pair pairs[TIP_FRAMES];  // these and `words` must still be in memory for the tip to be true
  uint64_t word[TIP_FRAMES];  // site words, outermost first
  verify_word words[3 * TIP_FRAMES];
  branch *branch;    // that of a long tip, or NULL
  struct tip **home; // its place in `by_path`
} tip;

typedef struct backtrace {
  tip *tip;        // of the last event
  uint32_t kept;   // frames of the trunk that belong to the last event
  uint32_t depth;  // frames of the trunk
  uint32_t least;  // backtraces with fewer frames are walked: too little of a truncated one is left
  uint32_t walks, recognized;  // since `plain` was chosen
  bool plain;      // tips are not made
  bool truncated;  // begins with a mark that the outer frames were left out
  bool uncacheable;  // crossed a signal frame or a foreign stack: slots are not ordered
  uint64_t generation;             // unwind_generation at the last walk: since then, equal addresses mean the same code
  uint64_t low, high;              // bounds of the stack
  struct other_stack {
    uint64_t low, high;  // of the mapping that it is in
  } others[OTHER_STACKS];  // foreign stacks, the one used last first: coroutines', alternate signal stacks
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
  // rbp matters and was saved by its callee, that word. Mostly the two are neighbors, as `push %rbp` puts them,
  // and are compared at once. Frame i has the pairs [first_pair[i], first_pair[i + 1]) and likewise words.
  uint32_t first_pair[BACKTRACE_CAPACITY + 80];
  uint32_t first_word[BACKTRACE_CAPACITY + 80];
  verify_pair pairs[BACKTRACE_CAPACITY + 24];
  verify_word words[3 * BACKTRACE_CAPACITY + 24];

  tip tips[TIPS];      // in the order in which they were made
  uint32_t tip_count;  // that were made, with those they replaced
  uint32_t branch_count;
  uint32_t branch_credit;    // 0 when branches were made in vain
  branch branches[BRANCHES];
  tip *by_path[TIPS];  // by call site and word outside of it: a function called from two places has two
  tip *latest[TIPS];   // by call site
  uint64_t waiting[BACKTRACE_ASYNC_LIMIT];  // scratch
  tip loose;  // the tip of a backtrace that cannot be recognized
  // Scratch, innermost first: a hook may not use much of the program's stack.
  walked_frame fresh[BACKTRACE_CAPACITY / 2 + BACKTRACE_ASYNC_LIMIT];
} backtrace;

typedef struct backtrace_change {
  uint32_t pops;    // frames that the previous backtrace has and this one does not
  uint32_t pushes;  // frames that this one has and the previous has not
  uint32_t context; // lifeline_prediction_context of the previous one
} backtrace_change;

/// Frames outside of the innermost `limit` belong to no backtrace and are not checked.
static inline uint32_t backtrace_window(uint32_t depth, uint32_t limit) { return depth > limit ? depth - limit : 0; }

/// What must be in memory for a tip on the current trunk to be valid, apart from its own frames.
typedef struct trunk_checks {
  const verify_pair *pairs;
  const verify_word *words;
  uint32_t pair_count, word_count;
} trunk_checks;

static inline trunk_checks backtrace_checks(const backtrace *b, const tip *t, uint32_t limit) {
  uint32_t base = t->kept - 1, from = backtrace_window(t->kept + t->count, limit);
  if (from > base) from = base;
  uint32_t pair = b->first_pair[from], word = b->first_word[from];
  return (trunk_checks){b->pairs + pair, b->words + word, b->first_pair[base] - pair, b->first_word[base] - word};
}
