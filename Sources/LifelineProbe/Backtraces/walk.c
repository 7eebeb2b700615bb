#define _GNU_SOURCE
#include "Backtraces/walk.h"

#include <stddef.h>
#include <ucontext.h>

#include "Async/async_context.h"
#include "Backtraces/stack.h"
#include "lifeline_format.h"

static bool readable(const walker *w, uint64_t address) {
  return address >= w->low && address + 8 <= w->high && !(address & 7);
}
static uint64_t word_at(uint64_t address) { return *(const uint64_t *)address; }

enum walk_outcome walk_enter_context(walker *w, const void *context) {
  const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
  uint64_t pc = (uint64_t)registers[REG_RIP];
  w->at = (walked_frame){(uint64_t)&registers[REG_RIP], pc, (uint64_t)registers[REG_RBP],
                         pc << 2 | LIFELINE_SITE_EXACT, NULL, 0, NULL, true};
  w->sp = (uint64_t)registers[REG_RSP];
  w->exact = true;
  w->crossed_signal = true;
  if (w->sp >= w->low && w->sp < w->high) return WALK_STEPPED;
  if (w->sp >= w->own_low && w->sp < w->own_high) {
    w->low = w->own_low;
    w->high = w->own_high;
  } else if (!stack_mapping(w->sp, &w->low, &w->high)) {
    return WALK_LOST;
  }
  return WALK_STEPPED;
}

static enum walk_outcome step_over_signal(walker *w) {
  // At the trampoline rsp points to the ucontext that the kernel pushed.
  const ucontext_t *context = (const ucontext_t *)w->sp;
  if (!readable(w, w->sp) || !readable(w, w->sp + sizeof *context)) return WALK_LOST;
  return walk_enter_context(w, context);
}

enum walk_outcome walk_step(walker *w, walked_frame *left) {
  unwind_rule rule = unwind_find(w->at.pc, !w->exact);
  uint64_t cfa, rbp_slot = 0, anchor = 0;
  left->uses_rbp = true;
  switch (unwind_kind_of(rule)) {
    case UNWIND_FROM_RSP:
      cfa = w->sp + (uint64_t)unwind_cfa_offset(rule);
      left->uses_rbp = !unwind_saves_rbp(rule);
      break;
    case UNWIND_FROM_RBP: cfa = w->at.rbp + (uint64_t)unwind_cfa_offset(rule); break;
    case UNWIND_DEREF_RBP:
      anchor = w->at.rbp + (uint64_t)unwind_cfa_offset(rule);
      if (!readable(w, anchor)) return WALK_LOST;
      cfa = word_at(anchor);
      rbp_slot = w->at.rbp;
      break;
    case UNWIND_ASYNC:
      if (!readable(w, w->at.rbp - 8)) return WALK_LOST;
      w->context = word_at(w->at.rbp - 8);
      if (w->context) return WALK_ASYNC;
      cfa = w->at.rbp + 16;
      break;
    case UNWIND_JOB: return WALK_JOB;
    case UNWIND_SIGNAL: return step_over_signal(w);
    case UNWIND_OUTERMOST: return WALK_OUTERMOST;
    default: return WALK_LOST;
  }
  uint64_t slot = cfa - 8;
  if (slot < w->sp || !readable(w, slot)) return WALK_LOST;
  uint64_t pc = word_at(slot);
  if (pc == 0) return WALK_OUTERMOST;
  if (!rbp_slot && unwind_saves_rbp(rule)) rbp_slot = cfa + (uint64_t)unwind_rbp_offset(rule);
  w->at.rbp_slot = NULL;
  if (rbp_slot) {
    if (!readable(w, rbp_slot)) return WALK_LOST;
    w->at.rbp_slot = (const uint64_t *)rbp_slot;
    w->at.rbp_saved = word_at(rbp_slot);
    w->at.rbp = w->at.rbp_saved & ~ASYNC_FRAME_BIT;
  }
  w->at.slot = slot;
  w->at.pc = pc;
  w->at.word = pc << 2 | LIFELINE_SITE_RETURN;
  w->at.anchor = (const uint64_t *)anchor;
  w->at.uses_rbp = true;
  w->sp = cfa;
  w->exact = false;
  return WALK_STEPPED;
}
