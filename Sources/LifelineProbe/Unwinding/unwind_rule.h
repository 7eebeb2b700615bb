#pragma once
// One unwind rule: how to get from a frame to its caller, and what the frame saved for it.
#include <stdbool.h>
#include <stdint.h>

/// One rule in 64 bits:
///
///    63          32 31          16 15        4  3     2   0
///   ┌──────────────┬──────────────┬───────────┬─────┬──────┐
///   │ CFA offset   │ rbp offset   │ 0         │ rbp │ kind │
///   └──────────────┴──────────────┴───────────┴─────┴──────┘
///
/// The offsets are signed, in bytes (CFA) and from the CFA (rbp, multiplied by 8 when read).
/// Bit 3: the caller's rbp is saved there. The return address is always at CFA − 8.
typedef uint64_t unwind_rule;

enum unwind_kind {
  UNWIND_UNKNOWN = 0,      // nothing known: the backtrace is incomplete here
  UNWIND_FROM_RSP = 1,     // CFA = rsp + offset
  UNWIND_FROM_RBP = 2,     // CFA = rbp + offset
  UNWIND_DEREF_RBP = 3,    // CFA = *(rbp + offset): a realigned frame; rbp is saved at rbp + 0
  UNWIND_SIGNAL = 4,       // a signal frame: registers are in the ucontext at rsp
  UNWIND_OUTERMOST = 5,    // the return address is undefined: there is no caller
  UNWIND_ASYNC = 6,        // as UNWIND_FROM_RBP with offset 16; the frame keeps an asynchronous function's context
  UNWIND_JOB = 7,          // the runtime's, where it runs a job: the frame inside is an asynchronous function's
};

/// Nothing is known, and that will not change: unlike rule 0 it is cached.
#define UNWIND_KNOWN_UNKNOWN ((unwind_rule)1 << 4)

static inline enum unwind_kind unwind_kind_of(unwind_rule r) { return (enum unwind_kind)(r & 7); }
static inline int64_t unwind_cfa_offset(unwind_rule r) { return (int32_t)(r >> 32); }
static inline bool unwind_saves_rbp(unwind_rule r) { return r >> 3 & 1; }
static inline int64_t unwind_rbp_offset(unwind_rule r) { return (int64_t)(int16_t)(r >> 16) * 8; }

static inline unwind_rule unwind_make(enum unwind_kind kind, int64_t cfa, bool saves_rbp, int64_t rbp) {
  return (uint64_t)(uint32_t)(int32_t)cfa << 32 | (uint64_t)(uint16_t)(int16_t)(rbp / 8) << 16 |
         (uint64_t)saves_rbp << 3 | kind;
}

/// What `push %rbp; mov %rsp, %rbp` makes: the rule of nearly all frames.
#define UNWIND_FRAME_POINTER ((unwind_rule)16 << 32 | (unwind_rule)(uint16_t)-2 << 16 | 1 << 3 | UNWIND_FROM_RBP)

/// Where a frame saved the registers that its caller gets back, twelve bits each for rbx, r12, r13, r14, r15: 0 not
/// saved, n saved at CFA − 8n, UNWIND_SAVE_LOST not known.
typedef uint64_t unwind_saves;

enum { UNWIND_SAVED_REGISTERS = 5, UNWIND_SAVE_LOST = 0xFFF };

/// Index of a register among those, or -1.
static inline int unwind_saved_index(unsigned reg) {
  return reg == 3 ? 0 : reg >= 12 && reg <= 15 ? (int)reg - 11 : -1;
}
static inline unsigned unwind_save(unwind_saves saves, int index) { return saves >> (12 * index) & 0xFFF; }
static inline unwind_saves unwind_with_save(unwind_saves saves, int index, unsigned place) {
  return (saves & ~(0xFFFull << (12 * index))) | (uint64_t)place << (12 * index);
}
