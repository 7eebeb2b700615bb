// Rules for code without an unwind entry, from the code itself.
//
// swiftc -O writes no entry for functions that cannot throw, deinits and their thunks above all; CFI alone
// would end the backtrace of nearly every final release there. The gap between two entries is read from its
// beginning, instruction by instruction, following what each does to rsp: at a call inside a function body
// the depth is known. For an unknown instruction or shape there is no rule.
#include "Unwinding/unwind_code.h"

#include "Detours/instruction_x86_64.h"

typedef struct function {
  const uint8_t *furthest;  // furthest branch target seen: the function reaches at least there
  int64_t depth;            // bytes below the return address
  int64_t body;             // depth after the prologue, which holds again after an epilogue in the middle
  bool has_called;          // `body` is settled: what is pushed from here on are arguments
  int64_t rbp_at;           // depth at which the caller's rbp was pushed, 0 when it was not
  bool frame_pointer;       // rbp holds the frame's base
  bool adjusted;            // rsp was changed by an unknown amount
  unwind_saves saves;
} function;

/// Register of `push` (50+r, with REX.B 8 more), or -1.
static int pushed(const uint8_t *p) {
  if (*p >= 0x50 && *p <= 0x57) return *p - 0x50;
  return p[0] == 0x41 && p[1] >= 0x50 && p[1] <= 0x57 ? p[1] - 0x50 + 8 : -1;
}

static bool popped(const uint8_t *p) {
  return (*p >= 0x58 && *p <= 0x5F) || (p[0] == 0x41 && p[1] >= 0x58 && p[1] <= 0x5F);
}

/// `sub` or `add` of a constant on rsp: 48 83 EC/C4 ib, 48 81 EC/C4 id. The change of depth, 0 when it is neither.
static int64_t stack_change(const uint8_t *p) {
  if (p[0] != 0x48 || (p[2] != 0xEC && p[2] != 0xC4)) return 0;
  int64_t amount;
  if (p[1] == 0x83) amount = (int8_t)p[3];
  else if (p[1] == 0x81)
    amount = (int32_t)((uint32_t)p[3] | (uint32_t)p[4] << 8 | (uint32_t)p[5] << 16 | (uint32_t)p[6] << 24);
  else return 0;
  return p[2] == 0xEC ? amount : -amount;
}

static bool is_padding(const uint8_t *p, size_t length) {
  while (length > 1 && (*p == 0x66 || *p == 0x2E)) { p++; length--; }
  return *p == 0x90 || *p == 0xCC || (p[0] == 0x0F && p[1] == 0x1F);
}

static bool ends_path(const uint8_t *p) {
  return *p == 0xC3 || *p == 0xC2 || *p == 0xE9 || *p == 0xEB || (p[0] == 0x0F && p[1] == 0x0B) || *p == 0xCC ||
         (p[0] == 0xFF && (p[1] & 0x38) == 0x20) || (p[0] == 0x41 && p[1] == 0xFF && (p[2] & 0x38) == 0x20);
}

static void execute(function *f, const uint8_t *p) {
  int reg = pushed(p);
  if (reg >= 0) {
    f->depth += 8;
    if (reg == 5 && !f->rbp_at) f->rbp_at = f->depth;
    // The first push of such a register is that of its caller's value: the function may not change it before.
    int index = unwind_saved_index((unsigned)reg);
    if (index >= 0 && !unwind_save(f->saves, index))
      f->saves = unwind_with_save(f->saves, index, (unsigned)(f->depth + 8) / 8 & 0xFFF);
  } else if (popped(p)) {
    f->depth -= 8;
  } else if (p[0] == 0x48 && ((p[1] == 0x89 && p[2] == 0xE5) || (p[1] == 0x8B && p[2] == 0xEC))) {
    f->frame_pointer = f->rbp_at == f->depth;  // mov %rsp,%rbp
  } else if (p[0] == 0xC9) {
    f->depth = 0;  // leave
  } else if (stack_change(p)) {
    f->depth += stack_change(p);
  } else if (p[0] == 0x48 && ((p[1] == 0x83 && p[2] == 0xE4) || (p[1] == 0x29 && (p[2] & 7) == 4) ||
                              (p[1] == 0x89 && (p[2] & 0xC7) == 0xC4) || (p[1] == 0x8D && (p[2] & 0x38) == 0x20))) {
    f->adjusted = true;  // and, sub, mov or lea on rsp with an amount only known at run time
  }
  if (!f->has_called && f->depth > f->body) f->body = f->depth;
  if (*p == 0xE8 || (*p == 0xFF && (p[1] & 0x38) == 0x10) || (p[0] == 0x41 && p[1] == 0xFF && (p[2] & 0x38) == 0x10))
    f->has_called = true;
}

bool unwind_code(const uint8_t *begin, const uint8_t *end, const uint8_t *pc, unwind_rule *rule, unwind_saves *saves,
                 const uint8_t **function_begin) {
  const uint8_t *p = begin;
  *function_begin = begin;
  function f = {0};
  while (p < pc) {
    size_t length = instruction_length(p);
    if (!length) return false;
    const uint8_t *target = instruction_branch_target(p);
    bool ended = ends_path(p);
    // A jump after the epilogue is a tail call: it leads to another function, which may lie in the same gap.
    bool leaves = ended && f.depth == 0;
    if (target && !leaves && target > p && target < end && target > f.furthest) f.furthest = target;
    if (!ended) execute(&f, p);
    p += length;
    if (!ended) continue;
    while (p < pc && (length = instruction_length(p)) && is_padding(p, length)) p += length;
    if (p > f.furthest) { f = (function){0}; *function_begin = p; }  // nothing leads further: the next function
    else f.depth = f.body;
  }
  if (p != pc || f.depth < 0 || (f.adjusted && !f.frame_pointer)) return false;
  bool saved = f.rbp_at != 0;
  *saves = f.saves;
  if (f.frame_pointer) *rule = unwind_make(UNWIND_FROM_RBP, f.rbp_at + 8, true, -f.rbp_at - 8);
  else *rule = unwind_make(UNWIND_FROM_RSP, f.depth + 8, saved, saved ? -f.rbp_at - 8 : 0);
  return true;
}
