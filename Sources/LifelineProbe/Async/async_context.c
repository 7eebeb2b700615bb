#define _GNU_SOURCE
#include "Async/async_context.h"

#include <stddef.h>
#include <ucontext.h>

#include "Async/queue.h"
#include "Async/task.h"
#include "lifeline_format.h"
#include "Process/aside.h"
#include "Process/memory.h"
#include "Process/runtime.h"
#include "Unwinding/async_code.h"
#include "Unwinding/unwind.h"

/// Functions of the runtime that get their caller's context: the function that waits for them is not in it, but about
/// to be in a task.
static const char *const borrowers[] = {
  "swift_task_switch", "swift_task_future_wait", "swift_task_future_wait_throwing",
  "swift_taskGroup_wait_next_throwing", "swift_taskGroup_waitAll", "swift_asyncLet_get",
  "swift_asyncLet_get_throwing", "swift_asyncLet_consume", "swift_asyncLet_consume_throwing",
  "swift_asyncLet_finish", "swift_continuation_await",
};
enum { BORROWERS = sizeof borrowers / sizeof *borrowers };
static const uint8_t *borrower[BORROWERS];

void async_prepare(void) {
  for (unsigned i = 0; i < BORROWERS; i++) borrower[i] = runtime_symbol(borrowers[i]);
  if (borrower[0]) unwind_set_async_runtime((uint64_t)borrower[0]);
  task_prepare();
  queue_prepare();
}

/// What is known about a return address, in 64 bits: kind, and the result of async_place. 0: not examined yet.
enum { UNKNOWN = 1, IN_FRAME = 2, IN_SLOT = 3, IN_REGISTER = 4 };

static uint64_t look(uint64_t pc, bool is_return_address) {
  const uint8_t *begin, *end;
  if (!unwind_function(pc, is_return_address, &begin, &end)) return UNKNOWN;
  for (unsigned i = 0; i < BORROWERS; i++)
    if (begin == borrower[i]) return UNKNOWN;
  // Between two calls the frame may not exist yet, or no longer.
  if (async_code_has_frame(begin, end)) return is_return_address ? IN_FRAME : UNKNOWN;
  async_place place = async_code_find(begin, end, (const uint8_t *)pc, is_return_address);
  if (place.kind == ASYNC_NOWHERE) return UNKNOWN;
  return (uint64_t)(uint32_t)place.where << 32 | (place.kind == ASYNC_IN_SLOT ? IN_SLOT : IN_REGISTER);
}

typedef struct code_place {
  uint64_t pc, found;
  bool is_return_address;
} code_place;

static void look_aside(void *asked) {
  code_place *p = asked;
  p->found = look(p->pc, p->is_return_address);
}

static uint64_t place_of(uint64_t pc, bool is_return_address) {
  enum { SLOTS = 1024 };
  static struct unwind_cached cache[SLOTS];
  struct unwind_cached *slot = &cache[(pc ^ pc >> 10) & (SLOTS - 1)];
  uint64_t found = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED), key = unwind_cache_key(pc, is_return_address);
  if (found && (__atomic_load_n(&slot->key, __ATOMIC_RELAXED) ^ found) == key) return found;
  code_place asked = {.pc = pc, .is_return_address = is_return_address};
  aside(look_aside, &asked);
  found = asked.found;
  __atomic_store_n(&slot->rule, found, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->key, key ^ found, __ATOMIC_RELAXED);
  return found;
}

/// Where a walk is, and what one register holds there.
typedef struct place {
  uint64_t pc, sp, rbp, value;
  bool returns;  // pc is a return address
  bool known;    // `value` is
} place;

static place interrupted(const ucontext_t *context, int index) {
  static const int numbers[UNWIND_SAVED_REGISTERS] = {REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15};
  const greg_t *r = context->uc_mcontext.gregs;
  return (place){(uint64_t)r[REG_RIP], (uint64_t)r[REG_RSP], (uint64_t)r[REG_RBP], (uint64_t)r[numbers[index]],
                 false, true};
}

__attribute__((noinline)) bool async_register(const async_frame *frame, const void *context, int reg,
                                              uint64_t *value) {
  uint64_t registers[UNWIND_SAVED_REGISTERS];
  int index = unwind_saved_index((unsigned)reg);
  place at = {.known = true};
  __asm__ volatile(
      "lea 0f(%%rip), %0\n mov %%rsp, %1\n mov %%rbp, %2\n"
      "mov %%rbx, (%3)\n mov %%r12, 8(%3)\n mov %%r13, 16(%3)\n mov %%r14, 24(%3)\n mov %%r15, 32(%3)\n 0:"
      : "=&a"(at.pc), "=&d"(at.sp), "=&c"(at.rbp)
      : "S"(registers)
      : "memory");
  at.value = registers[index];
  if (context) at = interrupted(context, index);
  if (context && !frame->is_return_address && at.pc == frame->pc) { *value = at.value; return true; }
  for (int frames = 0; frames < 8192; frames++) {
    unwind_rule rule = unwind_find(at.pc, at.returns);
    uint64_t cfa;
    switch (unwind_kind_of(rule)) {
      case UNWIND_FROM_RSP: cfa = at.sp + (uint64_t)unwind_cfa_offset(rule); break;
      case UNWIND_FROM_RBP: cfa = at.rbp + (uint64_t)unwind_cfa_offset(rule); break;
      case UNWIND_SIGNAL:
        at = interrupted((const ucontext_t *)at.sp, index);
        if (!frame->is_return_address && at.pc == frame->pc) { *value = at.value; return true; }
        continue;
      default: return false;
    }
    uint64_t slot = cfa - 8;
    if (slot < at.sp || (slot & 7) || (at.sp >= frame->low && at.sp < frame->high && slot > frame->slot)) return false;
    unsigned saved = unwind_save(unwind_find_saves(at.pc, at.returns), index);
    if (saved == UNWIND_SAVE_LOST) at.known = false;
    else if (saved) { at.value = *(const uint64_t *)(cfa - 8 * saved); at.known = true; }
    if (unwind_saves_rbp(rule))
      at.rbp = *(const uint64_t *)(cfa + (uint64_t)unwind_rbp_offset(rule)) & ~ASYNC_FRAME_BIT;
    at.pc = *(const uint64_t *)slot;
    at.sp = cfa;
    at.returns = true;
    if (slot != frame->slot) continue;
    *value = at.value;
    return at.known && at.pc == frame->pc;
  }
  return false;
}

static bool readable(const async_frame *f, uint64_t address) {
  return address >= f->low && address + 8 <= f->high && !(address & 7);
}

static uint64_t candidate(const async_frame *frame, const void *context) {
  uint64_t place = place_of(frame->pc, frame->is_return_address), address, value;
  int32_t where = (int32_t)(place >> 32);
  switch (place & 7) {
    case IN_FRAME: address = frame->rbp - 8; break;
    case IN_SLOT: address = frame->cfa - 8 + (uint64_t)(int64_t)where; break;
    case IN_REGISTER:
      if (where == 5) return frame->rbp;
      return async_register(frame, context, where, &value) ? value : 0;
    default: return 0;
  }
  return readable(frame, address) ? *(const uint64_t *)address : 0;
}

enum { DEEPEST = 100000, TASK_SIZE = 1 << 16 };

/// Whether contexts that are not known to belong to a task can be followed to the last of them.
static bool is_chain(uint64_t context) {
  uint64_t words[2];
  for (int i = 0; i < DEEPEST && context && !(context & 7); i++) {
    if (!memory_read((const void *)context, words, sizeof words)) return false;
    context = words[0];
  }
  return !context;
}

uint64_t async_context_of(const async_frame *frame, const void *interrupted_context) {
  uint64_t context = candidate(frame, interrupted_context), outermost = context;
  if (!context || (context & 7)) return 0;
  uint64_t task = task_current();
  // A thread that has just left its task may still have its context, but the task may already run elsewhere, and its
  // contexts may be freed.
  if (!task) return !task_is_known && is_chain(context) ? context : 0;
  // The chain of a task's contexts ends in the one right after the task itself.
  for (int i = 0; i < DEEPEST; i++) {
    uint64_t parent = *(const uint64_t *)outermost;
    if (!parent) return outermost > task && outermost < task + TASK_SIZE ? context : 0;
    if (parent & 7) return 0;
    outermost = parent;
  }
  return 0;
}

uint32_t async_callers(uint64_t context, uint64_t *words, uint32_t limit) {
  uint32_t count = 0;
  while (context && !(context & 7)) {
    uint64_t resume = *(const uint64_t *)(context + 8);
    if (!resume) break;
    if (count + 1 == limit) { words[count++] = LIFELINE_SITE_TRUNCATED; break; }
    words[count++] = resume << 2 | LIFELINE_SITE_ASYNC;
    context = *(const uint64_t *)context;
  }
  return count;
}
