#include "Unwinding/unwind.h"

#include <string.h>

#include "Process/aside.h"
#include "Unwinding/async_code.h"
#include "Unwinding/image.h"
#include "Unwinding/unwind_cfi.h"
#include "Unwinding/unwind_code.h"

struct unwind_cached unwind_cache[UNWIND_CACHE_SLOTS] __attribute__((aligned(64)));
uint64_t unwind_generation;

void unwind_forget(void) { __atomic_fetch_add(&unwind_generation, 0x9E3779B97F4A7C15ull, __ATOMIC_SEQ_CST); }

/// glibc's signal trampoline: mov $15,%rax; syscall (rt_sigreturn). gdb and libgcc know it by these bytes too.
static bool is_signal_return(const uint8_t *code) {
  static const uint8_t bytes[9] = {0x48, 0xC7, 0xC0, 0x0F, 0, 0, 0, 0x0F, 0x05};
  return !memcmp(code, bytes, sizeof bytes);
}

/// Where glibc's makecontext lets a coroutine's function return to, __start_context: mov %rbx,%rsp; mov (%rsp),%rdi;
/// test %rdi,%rdi. No call precedes it, and no rule: the coroutine's stack ends there.
static bool is_coroutine_end(const uint8_t *code) {
  static const uint8_t bytes[10] = {0x48, 0x89, 0xDC, 0x48, 0x8B, 0x3C, 0x24, 0x48, 0x85, 0xFF};
  return !memcmp(code, bytes, sizeof bytes);
}

static uint64_t async_first, async_end;  // code of the runtime for asynchronous functions

void unwind_set_async_runtime(uint64_t address) {
  const image *in = image_known(address);
  if (!in) return;
  async_first = in->code;
  async_end = in->code_end;
}

/// To resume a job, the runtime loads the context and calls the function: mov 8+n(%reg),%r14; call *n(%reg).
/// These are AsyncTask::ResumeContext and ResumeTask, adjacent in the task (swift/ABI/Task.h).
static bool runs_job(uint64_t pc) {
  if (pc < async_first + 16 || pc >= async_end) return false;
  for (unsigned sib = 0; sib < 2; sib++) {
    const uint8_t *call = (const uint8_t *)pc - 3 - sib;
    if (call[0] != 0xFF || (call[1] & 0xF8) != 0x50) continue;
    uint8_t base = call[1] & 7, n = call[2 + sib];
    if ((base == 4) != sib || (sib && call[2] != 0x24)) continue;
    bool high = call[-1] == 0x41;
    const uint8_t *load = call - high - 4 - sib;
    if (load[0] == (high ? 0x4D : 0x4C) && load[1] == 0x8B && load[2] == (0x70 | base) && (!sib || load[3] == 0x24) &&
        load[3 + sib] == n + 8)
      return true;
  }
  return false;
}

/// Whether the frame of the function [begin, end) keeps an asynchronous function's context.
static bool keeps_context(unwind_rule rule, uint64_t address, uint64_t begin, uint64_t end) {
  enum { PROLOGUE = 8 };
  return unwind_kind_of(rule) == UNWIND_FROM_RBP && unwind_cfa_offset(rule) == 16 && address >= begin + PROLOGUE &&
         async_code_has_frame((const uint8_t *)begin, (const uint8_t *)end);
}

static unwind_rule find(uint64_t pc, bool is_return_address, unwind_saves *saves) {
  *saves = 0;
  const image *in = image_at(pc);
  if (!in) return unwind_make(UNWIND_UNKNOWN, 0, false, 0);
  if (is_signal_return((const uint8_t *)pc)) return unwind_make(UNWIND_SIGNAL, 0, false, 0);
  if (is_return_address && is_coroutine_end((const uint8_t *)pc)) return unwind_make(UNWIND_OUTERMOST, 0, false, 0);
  if (is_return_address && runs_job(pc)) return unwind_make(UNWIND_JOB, 0, false, 0);
  unwind_rule rule;
  uint64_t begin, end;
  if (in->unwind_header && unwind_cfi(in->unwind_header, pc - is_return_address, &rule, saves, &begin, &end)) {
    if (!keeps_context(rule, pc - is_return_address, begin, end)) return rule;
    // Some of the runtime's functions have their caller's context there; async_context.c recognizes where they run the
    // job.
    bool is_runtime = pc >= async_first && pc < async_end;
    return is_runtime ? unwind_make(UNWIND_FROM_RBP, 16, true, -16) : unwind_make(UNWIND_ASYNC, 16, true, -16);
  }
  begin = in->first;
  end = in->end;
  const uint8_t *function;
  if (in->unwind_header && unwind_cfi_gap(in->unwind_header, pc - is_return_address, &begin, &end) &&
      unwind_code((const uint8_t *)begin, (const uint8_t *)end, (const uint8_t *)pc, &rule, saves, &function))
    return rule;
  return UNWIND_KNOWN_UNKNOWN;
}

typedef struct search {
  uint64_t pc;
  bool is_return_address;
  unwind_rule rule;
  unwind_saves saves;
} search;

static void run_search(void *asked) {
  search *s = asked;
  s->rule = find(s->pc, s->is_return_address, &s->saves);
}

static unwind_rule find_aside(uint64_t pc, bool is_return_address, unwind_saves *saves) {
  search s = {.pc = pc, .is_return_address = is_return_address};
  aside(run_search, &s);
  *saves = s.saves;
  return s.rule;
}

bool unwind_function(uint64_t pc, bool is_return_address, const uint8_t **begin, const uint8_t **end) {
  uint64_t address = pc - is_return_address;
  const image *in = image_known(address);
  uint64_t first, last;
  unwind_rule rule;
  unwind_saves saves;
  if (!in || !in->unwind_header) return false;
  if (unwind_cfi_function(in->unwind_header, address, &first, &last)) {
    *begin = (const uint8_t *)first;
    *end = (const uint8_t *)last;
    return true;
  }
  if (!unwind_cfi_gap(in->unwind_header, address, &first, &last)) return false;
  *end = (const uint8_t *)last;
  return unwind_code((const uint8_t *)first, *end, (const uint8_t *)pc, &rule, &saves, begin);
}

/// The entries that share a cache line with `slot`: a rule may be in any of them.
static inline struct unwind_cached *other_way(struct unwind_cached *slot, unsigned way) {
  return (struct unwind_cached *)((uintptr_t)slot ^ way * sizeof *slot);
}

unwind_rule unwind_find_elsewhere(uint64_t pc, bool is_return_address) {
  struct unwind_cached *first = unwind_cache_slot(pc), *slot = first;
  uint64_t key = unwind_cache_key(pc, is_return_address);
  for (unsigned way = 1; way < UNWIND_CACHE_WAYS; way++) {
    struct unwind_cached *other = other_way(first, way);
    unwind_rule rule = __atomic_load_n(&other->rule, __ATOMIC_RELAXED);
    if (rule && (__atomic_load_n(&other->key, __ATOMIC_RELAXED) ^ rule) == key) return rule;
    if (!rule && __atomic_load_n(&slot->rule, __ATOMIC_RELAXED)) slot = other;
  }
  unwind_saves ignored;
  unwind_rule rule = find_aside(pc, is_return_address, &ignored);
  // A full line loses an entry that depends on the newcomer, so that two of them do not take turns.
  if (slot == first && slot->rule) slot = other_way(first, (pc >> 4) % UNWIND_CACHE_WAYS);
  // Rule 0 is never cached: the image may still be on its way into the table.
  __atomic_store_n(&slot->rule, rule, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->key, key ^ rule, __ATOMIC_RELAXED);
  return rule;
}

unwind_saves unwind_find_saves(uint64_t pc, bool is_return_address) {
  enum { SLOTS = 4096 };
  const uint64_t cached = 1ull << 60;  // the registers take bits 0 to 59
  static struct unwind_cached cache[SLOTS];
  struct unwind_cached *slot = &cache[(pc ^ pc >> 12) & (SLOTS - 1)];
  uint64_t found = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED), key = unwind_cache_key(pc, is_return_address);
  if (found && (__atomic_load_n(&slot->key, __ATOMIC_RELAXED) ^ found) == key) return found & ~cached;
  unwind_saves saves;
  find_aside(pc, is_return_address, &saves);
  found = saves | cached;
  __atomic_store_n(&slot->rule, found, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->key, key ^ found, __ATOMIC_RELAXED);
  return saves;
}
