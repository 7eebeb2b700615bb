#include "unwind.h"

#include <errno.h>
#include <string.h>

#include "image.h"

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

static unwind_rule find(uint64_t pc, bool is_return_address) {
  const image *in = image_at(pc);
  if (!in) return unwind_make(UNWIND_UNKNOWN, 0, false, 0);
  if (is_signal_return((const uint8_t *)pc)) return unwind_make(UNWIND_SIGNAL, 0, false, 0);
  if (is_return_address && is_coroutine_end((const uint8_t *)pc)) return unwind_make(UNWIND_OUTERMOST, 0, false, 0);
  unwind_rule rule;
  if (in->unwind_header && unwind_cfi(in->unwind_header, pc - is_return_address, &rule)) return rule;
  uint64_t begin = in->first, end = in->end;
  if (in->unwind_header && unwind_cfi_gap(in->unwind_header, pc - is_return_address, &begin, &end) &&
      unwind_code((const uint8_t *)begin, (const uint8_t *)end, (const uint8_t *)pc, &rule)) return rule;
  return UNWIND_KNOWN_UNKNOWN;
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
  int saved = errno;
  unwind_rule rule = find(pc, is_return_address);
  errno = saved;
  // A full line loses an entry that depends on the newcomer, so that two of them do not take turns.
  if (slot == first && slot->rule) slot = other_way(first, (pc >> 4) % UNWIND_CACHE_WAYS);
  // Rule 0 is never cached: the image may still be on its way into the table.
  __atomic_store_n(&slot->rule, rule, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->key, key ^ rule, __ATOMIC_RELAXED);
  return rule;
}
