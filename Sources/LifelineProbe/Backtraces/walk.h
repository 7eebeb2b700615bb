#pragma once
// One frame after another, from the innermost outwards, by the unwind rules.
#include <stdbool.h>
#include <stdint.h>

#include "Unwinding/unwind.h"

/// A frame and where it was found.
typedef struct walked_frame {
  uint64_t slot;             // address of the return address; UINT64_MAX for a mark that is not a frame
  uint64_t pc, rbp;          // return address, and rbp in this frame
  uint64_t word;             // site word (lifeline_event.h)
  const uint64_t *rbp_slot;  // where the frame inside saved that rbp, or NULL
  uint64_t rbp_saved;        // the value saved there
  const uint64_t *anchor;    // the word that said where this frame's slot ends, or NULL: in realigned frames
  // Whether the way outwards depends on this frame's rbp; known after the next step. A whole word: frames are copied,
  // and a load of a word stalls that one byte was just stored to.
  uint64_t uses_rbp;
} walked_frame;

typedef struct walker {
  walked_frame at;
  uint64_t sp;
  uint64_t low, high;  // bounds of the stack
  uint64_t own_low, own_high;  // bounds of the thread's own stack, which a signal handler on another one interrupted
  bool exact;          // the pc is that of an interrupted instruction, not a return address
  bool crossed_signal;
  uint64_t context;  // of the asynchronous function at which the walk ended
} walker;

/// ASYNC: the frame belongs to an asynchronous function, whose caller is not on the stack. JOB: the frame inside does.
enum walk_outcome { WALK_STEPPED, WALK_OUTERMOST, WALK_LOST, WALK_ASYNC, WALK_JOB };

static inline walker walk_from_call(uint64_t slot, uint64_t pc, uint64_t rbp, uint64_t low, uint64_t high) {
  return (walker){.at = {slot, pc, rbp, pc << 2, 0, 0, 0, true}, .sp = slot + 8, .low = low, .high = high};
}

/// Goes to an instruction that a signal interrupted; `context` is the signal's ucontext_t.
enum walk_outcome walk_enter_context(walker *w, const void *context);
/// Goes to the caller; sets `uses_rbp` of the frame that is left.
enum walk_outcome walk_step(walker *w, walked_frame *left);
