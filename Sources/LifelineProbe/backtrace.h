#pragma once
// Backtraces: the thread's last one is kept with the stack slots it came from. If every slot still holds
// what it held, it is the same backtrace; otherwise only the frames that changed are walked again.
//
// Why that is exact: equal program counter, stack pointer and rbp give the same unwind rule, so the same
// slots; equal slots give the caller's equal program counter, stack pointer and rbp; and so on outwards.
#include <stdbool.h>
#include <stdint.h>

enum { BACKTRACE_CAPACITY = 4096 };

/// The place a hook was called from, read off its own frame.
typedef struct call_site {
  uint64_t slot;  // where the return address lies
  uint64_t pc;    // the return address
  uint64_t rbp;   // the caller's rbp
} call_site;

/// For use in a hook that keeps a frame pointer: its caller.
#define CALL_SITE()                                                        \
  ({                                                                       \
    const uint64_t *frame_ = (const uint64_t *)__builtin_frame_address(0); \
    (call_site){(uint64_t)(frame_ + 1), frame_[1], frame_[0]};             \
  })

/// One frame. `slot` orders frames; pc and rbp are re-checked where they were read from.
typedef struct frame {
  uint64_t slot;       // address that held the pc; UINT64_MAX for a sentinel
  uint64_t pc;         // return address, or a sentinel word
  uint64_t rbp_slot;   // address that held the caller's rbp, or `slot` again when it was not saved
  uint64_t rbp_value;  // what it held
  uint64_t rbp;        // rbp in this frame
  uint64_t word;       // site word (lifeline_event.h)
} frame;

typedef struct backtrace {
  uint32_t depth;
  bool uncacheable;         // crossed a signal frame or a foreign stack: slots are not ordered
  uint64_t low, high;       // bounds of the stack
  uint64_t other_low, other_high;  // bounds of the foreign stack used last
  frame frames[BACKTRACE_CAPACITY];  // outermost first
  frame fresh[BACKTRACE_CAPACITY / 2];  // scratch, innermost first: a hook may not use much of the program's stack
} backtrace;

typedef struct backtrace_change {
  uint32_t pops;  // frames that the previous backtrace has and this one does not
  uint32_t kept;  // frames[kept ..< depth] are new
} backtrace_change;

/// Brings `b` up to date with the given place.
backtrace_change backtrace_update(backtrace *b, call_site at, uint32_t limit);
/// Keeps the innermost frames only, so that a new chunk begins with little.
void backtrace_trim(backtrace *b, uint32_t limit);
/// Finds the bounds of the calling thread's stack.
void backtrace_begin_thread(backtrace *b);
