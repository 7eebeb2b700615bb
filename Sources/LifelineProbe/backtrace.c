#define _GNU_SOURCE
#include "backtrace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "image.h"
#include "lifeline_format.h"
#include "trace_file.h"
#include "unwind.h"

extern void *__libc_stack_end __attribute__((weak));

// Swift marks the frames of asynchronous functions with this bit of the saved rbp
// (swift docs, "Swift Async Extended Frame").
static const uint64_t ASYNC_FRAME_BIT = 1ull << 60;

/// Bounds of the mapping that holds an address, from /proc/self/maps, without libc's allocator or stdio.
static bool mapping_of(uint64_t address, uint64_t *low, uint64_t *high) {
  int saved = errno;
  int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    errno = saved;
    return false;
  }
  char buffer[4096];
  uint64_t first = 0, second = 0;
  enum { FIRST, SECOND, REST } part = FIRST;
  bool found = false;
  for (ssize_t size; !found && (size = read(fd, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < size && !found; i++) {
      char c = buffer[i];
      unsigned digit = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');
      if (c == '\n') { part = FIRST; first = second = 0; }
      else if (part == FIRST && c == '-') part = SECOND;
      else if (part == SECOND && c == ' ') {
        part = REST;
        if (address >= first && address < second) { *low = first; *high = second; found = true; }
      }
      else if (part == FIRST) first = first << 4 | digit;
      else if (part == SECOND) second = second << 4 | digit;
    }
  }
  close(fd);
  errno = saved;
  return found;
}

void backtrace_begin_thread(backtrace *b) {
  uint64_t here = (uint64_t)__builtin_frame_address(0), control_block;
  __asm__("mov %%fs:0, %0" : "=r"(control_block));
  b->depth = 0;
  // A thread made by glibc has its control block at the top of its stack; the main thread has not.
  if (getpid() == (pid_t)syscall(SYS_gettid) && &__libc_stack_end && (uint64_t)__libc_stack_end > here) {
    b->low = here & ~(uint64_t)4095;
    b->high = ((uint64_t)__libc_stack_end + 8) & ~(uint64_t)7;
  } else if (control_block > here && control_block - here < (1ull << 32)) {
    b->low = here & ~(uint64_t)4095;
    b->high = control_block & ~(uint64_t)7;
  } else if (!mapping_of(here, &b->low, &b->high)) {
    b->low = b->high = 0;
  }
}

typedef struct walker {
  frame at;
  uint64_t sp;
  uint64_t low, high;
  bool exact;  // the pc is that of an interrupted instruction, not a return address
  bool crossed_signal;
} walker;

static bool readable(const walker *w, uint64_t address) { return address >= w->low && address + 8 <= w->high && !(address & 7); }
static uint64_t word_at(uint64_t address) { return *(const uint64_t *)address; }

enum outcome { STEPPED, OUTERMOST, LOST };

static enum outcome step_over_signal(walker *w) {
  // At the trampoline rsp points to the ucontext that the kernel pushed.
  const ucontext_t *context = (const ucontext_t *)w->sp;
  if (!readable(w, w->sp) || !readable(w, w->sp + sizeof *context)) return LOST;
  const greg_t *registers = context->uc_mcontext.gregs;
  w->at.slot = (uint64_t)&registers[REG_RIP];
  w->at.pc = (uint64_t)registers[REG_RIP];
  w->at.rbp_slot = (uint64_t)&registers[REG_RBP];
  w->at.rbp_value = w->at.rbp = (uint64_t)registers[REG_RBP];
  w->sp = (uint64_t)registers[REG_RSP];
  w->exact = true;
  w->crossed_signal = true;
  if (w->sp < w->low || w->sp >= w->high)
    if (!mapping_of(w->sp, &w->low, &w->high)) return LOST;
  w->at.word = w->at.pc << 2 | LIFELINE_SITE_EXACT;
  return STEPPED;
}

static enum outcome step(walker *w) {
  unwind_rule rule = unwind_find(w->at.pc, !w->exact);
  uint64_t cfa, rbp_slot = 0;
  switch (unwind_kind_of(rule)) {
    case UNWIND_FROM_RSP: cfa = w->sp + (uint64_t)unwind_cfa_offset(rule); break;
    case UNWIND_FROM_RBP: cfa = w->at.rbp + (uint64_t)unwind_cfa_offset(rule); break;
    case UNWIND_DEREF_RBP: {
      uint64_t from = w->at.rbp + (uint64_t)unwind_cfa_offset(rule);
      if (!readable(w, from)) return LOST;
      cfa = word_at(from);
      rbp_slot = w->at.rbp;
      break;
    }
    case UNWIND_SIGNAL: return step_over_signal(w);
    case UNWIND_OUTERMOST: return OUTERMOST;
    default: return LOST;
  }
  uint64_t slot = cfa - 8;
  if (slot < w->sp || !readable(w, slot)) return LOST;
  uint64_t pc = word_at(slot);
  if (pc == 0) return OUTERMOST;
  if (!rbp_slot && unwind_saves_rbp(rule)) rbp_slot = cfa + (uint64_t)unwind_rbp_offset(rule);
  if (rbp_slot) {
    if (!readable(w, rbp_slot)) return LOST;
    w->at.rbp_value = word_at(rbp_slot);
    w->at.rbp_slot = rbp_slot;
    w->at.rbp = w->at.rbp_value & ~ASYNC_FRAME_BIT;
  } else {
    w->at.rbp_slot = slot;
    w->at.rbp_value = pc;
  }
  w->at.slot = slot;
  w->at.pc = pc;
  w->at.word = pc << 2 | LIFELINE_SITE_RETURN;
  w->sp = cfa;
  w->exact = false;
  return STEPPED;
}

static void sentinel(backtrace *b, uint64_t word) {
  frame *f = &b->frames[b->depth++];
  memset(f, 0, sizeof *f);
  f->slot = UINT64_MAX;
  f->word = word;
}

static inline bool is_sentinel(const frame *f) { return f->slot == UINT64_MAX; }

/// The innermost frame within the limit whose slots no longer hold what they held, or `depth`.
static uint32_t first_stale(const backtrace *b, uint32_t depth, uint32_t limit) {
  uint32_t base = depth > limit ? depth - limit : 0;
  if (base == 0 && depth && is_sentinel(&b->frames[0])) base = 1;
  uint64_t changed = 0;
  for (uint32_t i = base; i < depth; i++) {
    const frame *f = &b->frames[i];
    changed |= (word_at(f->slot) ^ f->pc) | (word_at(f->rbp_slot) ^ f->rbp_value);
  }
  if (!changed) return depth;
  for (uint32_t i = depth; i > base; i--) {
    const frame *f = &b->frames[i - 1];
    if (word_at(f->slot) != f->pc || word_at(f->rbp_slot) != f->rbp_value) return i - 1;
  }
  return depth;
}

/// Walks from `w` until a frame of b->frames[0 ..< *joined] is met, collecting fresh frames innermost first.
static enum outcome walk(backtrace *b, walker *w, frame *fresh, uint32_t *count, uint32_t most, uint32_t *joined) {
  enum outcome outcome = STEPPED;
  while (outcome == STEPPED) {
    if (*joined && !w->crossed_signal) {
      while (*joined && b->frames[*joined - 1].slot < w->at.slot) --*joined;
      if (*joined && b->frames[*joined - 1].slot == w->at.slot) {
        frame *f = &b->frames[*joined - 1];
        if (f->pc == w->at.pc && f->rbp == w->at.rbp) {
          // The same frame, though a callee may have saved its rbp elsewhere this time.
          f->rbp_slot = w->at.rbp_slot;
          f->rbp_value = w->at.rbp_value;
          return STEPPED;
        }
        --*joined;
      }
    }
    if (*count == most) { *joined = 0; return STEPPED; }
    fresh[(*count)++] = w->at;
    outcome = step(w);
  }
  *joined = 0;
  return outcome;
}

/// Whether `depth` frames begin with "truncated" although fewer than the limit were kept.
static bool lacks_frames(const backtrace *b, uint32_t depth, uint32_t limit) {
  return is_sentinel(&b->frames[0]) && b->frames[0].word == LIFELINE_SITE_TRUNCATED && depth - 1 < limit;
}

backtrace_change backtrace_update(backtrace *b, call_site at, uint32_t limit) {
  uint32_t old = b->depth, joined = old;
  // The usual case costs nothing but the comparison: same place, same frames.
  if (old && !b->uncacheable) {
    const frame *top = &b->frames[old - 1];
    if (top->slot == at.slot && top->pc == at.pc && top->rbp == at.rbp &&
        !lacks_frames(b, old, limit) && first_stale(b, old - 1, limit) == old - 1)
      return (backtrace_change){0, old};
  }
  if (old + 2 * limit + 2 >= BACKTRACE_CAPACITY) joined = 0;
  walker w = {.at = {at.slot, at.pc, at.slot, at.pc, at.rbp & ~ASYNC_FRAME_BIT, at.pc << 2}, .sp = at.slot + 8,
              .low = b->low, .high = b->high};
  bool foreign = at.slot < b->low || at.slot >= b->high;
  if (at.slot < b->low && b->high - at.slot < (1ull << 32) && b->low - at.slot < (8u << 20)) {
    // The stack has grown since it was looked at.
    foreign = false;
    b->low = w.low = at.slot & ~(uint64_t)4095;
  }
  if (foreign) {
    if (at.slot < b->other_low || at.slot >= b->other_high)
      if (!mapping_of(at.slot, &b->other_low, &b->other_high)) b->other_low = b->other_high = 0;
    w.low = b->other_low;
    w.high = b->other_high;
  }
  if (foreign || b->uncacheable) joined = 0;

  frame *fresh = b->fresh;
  // Twice the limit, so that a deep recursion is walked anew once in `limit` returns, not at each.
  uint32_t most = 2 * limit, count = 0;
  enum outcome outcome;
  outcome = walk(b, &w, fresh, &count, most, &joined);
  while (joined) {
    uint32_t stale = first_stale(b, joined, limit);
    if (stale == joined) break;
    // Frame `stale` changed under the frames inside it: those are walked again, from the innermost of them.
    joined = stale;
    outcome = walk(b, &w, fresh, &count, most, &joined);
  }
  // A truncated backtrace that has lost too many frames is walked from the start, as far as it goes.
  if (joined && lacks_frames(b, joined + count, limit) && !w.crossed_signal) {
    w = (walker){.at = {at.slot, at.pc, at.slot, at.pc, at.rbp & ~ASYNC_FRAME_BIT, at.pc << 2}, .sp = at.slot + 8,
                 .low = w.low, .high = w.high};
    count = joined = 0;
    outcome = walk(b, &w, fresh, &count, most, &joined);
  }
  b->depth = joined;
  if (!joined && outcome != OUTERMOST) {
    bool lost = outcome == LOST;
    sentinel(b, lost ? LIFELINE_SITE_INCOMPLETE : LIFELINE_SITE_TRUNCATED);
    process_count(lost ? LIFELINE_COUNTER_incompleteBacktraces : LIFELINE_COUNTER_truncatedBacktraces);
  }
  for (uint32_t i = count; i > 0; i--) b->frames[b->depth++] = fresh[i - 1];
  b->uncacheable = foreign || w.crossed_signal;
  return (backtrace_change){old - joined, joined};
}

void backtrace_trim(backtrace *b, uint32_t limit) {
  uint32_t keep = 2 * limit;
  if (b->depth <= keep) return;
  memmove(&b->frames[1], &b->frames[b->depth - keep], keep * sizeof(frame));
  b->depth = 0;
  sentinel(b, LIFELINE_SITE_TRUNCATED);
  b->depth += keep;
}
