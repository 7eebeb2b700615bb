#pragma once
// Backtraces: the thread's last one is kept with the stack slots it came from. If every slot still holds
// what it held, it is the same backtrace; otherwise only the frames that changed are walked again.
//
// Why that is exact: equal program counter, stack pointer and rbp give the same unwind rule, so the same
// slots; equal slots give the caller's equal program counter, stack pointer and rbp; and so on outwards.
#include <stdbool.h>
#include <stdint.h>

#include "verify.h"

enum { BACKTRACE_CAPACITY = 4096 };

/// The place a hook was called from, as the hook's own frame shows it; valid while the hook runs.
///
///   at[0] the caller's rbp      at[1] the return address, whose own address orders frames
typedef const uint64_t *call_site;

/// For use in a hook: this makes it keep a frame pointer.
#define CALL_SITE() ((call_site)__builtin_frame_address(0))

static inline uint64_t call_site_slot(call_site at) { return (uint64_t)(at + 1); }

/// The frames, outermost first, one array per property: a comparison of all frames reads only what it needs.
typedef struct backtrace {
  uint32_t depth;
  bool truncated;    // begins with a mark that the outer frames were left out
  bool uncacheable;  // crossed a signal frame or a foreign stack: slots are not ordered
  uint64_t generation;             // unwind_generation at the last walk: equal addresses meant the same code since
  uint64_t low, high;              // bounds of the stack
  uint64_t other_low, other_high;  // bounds of the foreign stack used last

  // The odd lengths keep equal indices off equal page offsets, where a load waits for an unrelated store.
  uint64_t slot[BACKTRACE_CAPACITY + 24];  // address that held the pc; UINT64_MAX for a sentinel
  uint64_t pc[BACKTRACE_CAPACITY + 24];    // return address
  uint64_t rbp[BACKTRACE_CAPACITY + 24];   // rbp in this frame
  uint64_t word[BACKTRACE_CAPACITY + 24];  // site word (lifeline_event.h)

  // What must still be in memory for the frames to be true: the return address of each and, where a frame's
  // rbp was saved by its callee, that word. Nearly always the two are neighbours, as `push %rbp` puts them,
  // and are compared at once. Frame i has the pairs [first_pair[i], first_pair[i + 1]) and likewise words.
  uint32_t first_pair[BACKTRACE_CAPACITY + 80];
  uint32_t first_word[BACKTRACE_CAPACITY + 80];
  verify_pair pairs[BACKTRACE_CAPACITY + 24];
  const void *pair_address[BACKTRACE_CAPACITY + 24];
  const uint64_t *word_address[2 * BACKTRACE_CAPACITY + 24];
  uint64_t word_value[2 * BACKTRACE_CAPACITY + 24];

  struct fresh_frame {
    uint64_t slot, pc, rbp, word;
    const uint64_t *rbp_slot;  // where rbp was saved, or NULL
    uint64_t rbp_saved;        // what was saved there
  } fresh[BACKTRACE_CAPACITY / 2];  // scratch, innermost first: a hook may not use much of the program's stack
} backtrace;

typedef struct backtrace_change {
  uint32_t pops;  // frames that the previous backtrace has and this one does not
  uint32_t kept;  // frames[kept ..< depth] are new
} backtrace_change;

/// Brings `b` up to date with the given place.
backtrace_change backtrace_update(backtrace *b, call_site at, uint32_t limit);
/// The same for an instruction that faulted; `context` is the ucontext_t of its signal.
backtrace_change backtrace_at_fault(backtrace *b, const void *context, uint32_t limit);
/// Keeps the innermost frames only, so that a new chunk begins with little.
void backtrace_trim(backtrace *b, uint32_t limit);
/// Finds the bounds of the calling thread's stack.
void backtrace_begin_thread(backtrace *b);
