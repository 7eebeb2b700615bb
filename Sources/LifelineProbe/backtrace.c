#define _GNU_SOURCE
#include "backtrace.h"

#include <string.h>
#include <ucontext.h>

#include "async_context.h"
#include "image.h"
#include "lifeline_format.h"
#include "stack.h"
#include "trace_file.h"
#include "unwind.h"

typedef struct fresh_frame fresh_frame;

typedef struct walker {
  fresh_frame at;
  uint64_t sp;
  uint64_t low, high;
  bool exact;  // the pc is that of an interrupted instruction, not a return address
  bool crossed_signal;
  uint64_t context;  // of the asynchronous function at which the walk ended
} walker;

static bool readable(const walker *w, uint64_t address) { return address >= w->low && address + 8 <= w->high && !(address & 7); }
static uint64_t word_at(uint64_t address) { return *(const uint64_t *)address; }

/// ASYNC: the frame belongs to an asynchronous function, whose caller is not on the stack.
enum outcome { STEPPED, OUTERMOST, LOST, ASYNC };

static enum outcome enter_context(walker *w, const ucontext_t *context) {
  const greg_t *registers = context->uc_mcontext.gregs;
  uint64_t pc = (uint64_t)registers[REG_RIP];
  w->at = (fresh_frame){(uint64_t)&registers[REG_RIP], pc, (uint64_t)registers[REG_RBP], pc << 2 | LIFELINE_SITE_EXACT, NULL, 0};
  w->sp = (uint64_t)registers[REG_RSP];
  w->exact = true;
  w->crossed_signal = true;
  if ((w->sp < w->low || w->sp >= w->high) && !stack_mapping(w->sp, &w->low, &w->high)) return LOST;
  return STEPPED;
}

static enum outcome step_over_signal(walker *w) {
  // At the trampoline rsp points to the ucontext that the kernel pushed.
  const ucontext_t *context = (const ucontext_t *)w->sp;
  if (!readable(w, w->sp) || !readable(w, w->sp + sizeof *context)) return LOST;
  return enter_context(w, context);
}

static inline enum outcome step(walker *w) {
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
    case UNWIND_ASYNC:
      if (!readable(w, w->at.rbp - 8)) return LOST;
      w->context = word_at(w->at.rbp - 8);
      if (w->context) return ASYNC;
      cfa = w->at.rbp + 16;
      break;
    case UNWIND_SIGNAL: return step_over_signal(w);
    case UNWIND_OUTERMOST: return OUTERMOST;
    default: return LOST;
  }
  uint64_t slot = cfa - 8;
  if (slot < w->sp || !readable(w, slot)) return LOST;
  uint64_t pc = word_at(slot);
  if (pc == 0) return OUTERMOST;
  if (!rbp_slot && unwind_saves_rbp(rule)) rbp_slot = cfa + (uint64_t)unwind_rbp_offset(rule);
  w->at.rbp_slot = NULL;
  if (rbp_slot) {
    if (!readable(w, rbp_slot)) return LOST;
    w->at.rbp_slot = (const uint64_t *)rbp_slot;
    w->at.rbp_saved = word_at(rbp_slot);
    w->at.rbp = w->at.rbp_saved & ~ASYNC_FRAME_BIT;
  }
  w->at.slot = slot;
  w->at.pc = pc;
  w->at.word = pc << 2 | LIFELINE_SITE_RETURN;
  w->sp = cfa;
  w->exact = false;
  return STEPPED;
}

static inline void add_word(backtrace *b, uint32_t *words, const uint64_t *address, uint64_t value) {
  b->word_address[*words] = address;
  b->word_value[(*words)++] = value;
}

static inline void push(backtrace *b, const fresh_frame *f) {
  uint32_t i = b->depth++, pairs = b->first_pair[i], words = b->first_word[i];
  b->slot[i] = f->slot;
  b->pc[i] = f->pc;
  b->rbp[i] = f->rbp;
  b->word[i] = f->word;
  if ((uint64_t)f->rbp_slot == f->slot - 8) {
    b->pair_address[pairs] = f->rbp_slot;
    b->pairs[pairs++] = (verify_pair){f->rbp_saved, f->pc};
  } else {
    add_word(b, &words, (const uint64_t *)f->slot, f->pc);
    if (f->rbp_slot) add_word(b, &words, f->rbp_slot, f->rbp_saved);
  }
  b->first_pair[i + 1] = pairs;
  b->first_word[i + 1] = words;
}

/// The same for an innermost frame: its rbp is still in the register.
static inline void push_innermost(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp) {
  uint32_t i = b->depth++, words = b->first_word[i];
  b->slot[i] = slot;
  b->pc[i] = pc;
  b->rbp[i] = rbp;
  b->word[i] = pc << 2 | LIFELINE_SITE_RETURN;
  b->word_address[words] = (const uint64_t *)slot;
  b->word_value[words] = pc;
  b->first_pair[i + 1] = b->first_pair[i];
  b->first_word[i + 1] = words + 1;
}

static void push_sentinel(backtrace *b, uint64_t word) {
  uint32_t i = b->depth++;
  b->truncated = word == LIFELINE_SITE_TRUNCATED;
  b->slot[i] = UINT64_MAX;
  b->pc[i] = b->rbp[i] = 0;
  b->word[i] = word;
  b->first_pair[i + 1] = b->first_pair[i];
  b->first_word[i + 1] = b->first_word[i];
}

/// Whether memory still holds what frames[from ..< to] were read from.
static inline bool unchanged(const backtrace *b, uint32_t from, uint32_t to) {
  uint32_t pair = b->first_pair[from], word = b->first_word[from];
  uint32_t pairs = b->first_pair[to] - pair, words = b->first_word[to] - word;
  return (!pairs || verify_pairs(b->pair_address + pair, b->pairs + pair, pairs)) &&
         (!words || verify_words(b->word_address + word, b->word_value + word, words));
}

/// Frames outside of the innermost `limit` belong to no backtrace and are not checked.
static inline uint32_t window(uint32_t depth, uint32_t limit) { return depth > limit ? depth - limit : 0; }

/// The innermost of frames[0 ..< depth] that is no longer true, or `depth`.
static uint32_t first_stale(const backtrace *b, uint32_t depth, uint32_t limit) {
  uint32_t base = window(depth, limit);
  if (unchanged(b, base, depth)) return depth;
  for (uint32_t i = depth; i > base; i--)
    if (!unchanged(b, i - 1, i)) return i - 1;
  return depth;
}

/// Walks from `w` until one of frames[0 ..< *joined] is met, collecting fresh frames innermost first.
static enum outcome walk(backtrace *b, walker *w, uint32_t *count, uint32_t most, uint32_t *joined) {
  enum outcome outcome = STEPPED;
  while (outcome == STEPPED) {
    if (*joined && !w->crossed_signal) {
      uint32_t n = *joined;
      while (n && b->slot[n - 1] < w->at.slot) n--;
      *joined = n;
      if (n && b->slot[n - 1] == w->at.slot) {
        b->depth = --*joined;
        if (b->pc[n - 1] == w->at.pc && b->rbp[n - 1] == w->at.rbp) {
          push(b, &w->at);  // the same frame, though a callee may have saved its rbp elsewhere this time
          *joined = n;
          return STEPPED;
        }
      }
    }
    if (*count == most) { *joined = 0; return STEPPED; }
    b->fresh[(*count)++] = w->at;
    outcome = step(w);
  }
  *joined = 0;
  return outcome;
}

/// Whether `depth` frames begin with "truncated" although fewer than the limit were kept.
static inline bool lacks_frames(const backtrace *b, uint32_t depth, uint32_t limit) {
  return b->truncated && depth <= limit;
}

static walker begin_walk(uint64_t slot, uint64_t pc, uint64_t rbp, uint64_t low, uint64_t high) {
  return (walker){.at = {slot, pc, rbp, pc << 2, NULL, 0}, .sp = slot + 8, .low = low, .high = high};
}

/// Counts the outermost frames that are as before; `i` is about to be written.
static inline void compare(const backtrace *b, uint32_t old, uint64_t word, uint32_t *same) {
  if (*same == b->depth && *same < old && b->word[*same] == word) ++*same;
}

/// What lies outside of the frames that were walked: waiting callers, or a mark that there is more.
static void begin_stack(backtrace *b, const walker *w, enum outcome outcome, uint32_t old, uint32_t limit, uint32_t *same) {
  uint64_t words[ASYNC_LIMIT];
  uint32_t count = 0;
  if (outcome == ASYNC) {
    count = async_callers(w->context, words, limit < ASYNC_LIMIT ? limit : ASYNC_LIMIT);
  } else if (outcome != OUTERMOST) {
    bool lost = outcome == LOST;
    words[count++] = lost ? LIFELINE_SITE_INCOMPLETE : LIFELINE_SITE_TRUNCATED;
    process_count(lost ? LIFELINE_COUNTER_incompleteBacktraces : LIFELINE_COUNTER_truncatedBacktraces);
  }
  while (count) {
    compare(b, old, words[--count], same);
    push_sentinel(b, words[count]);
  }
}

__attribute__((noinline)) static backtrace_change update_slowly(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp, uint32_t limit) {
  uint32_t old = b->depth, joined = old;
  if (old + 2 * limit + 2 >= BACKTRACE_CAPACITY) joined = 0;
  walker w = begin_walk(slot, pc, rbp, b->low, b->high);
  bool foreign = slot < b->low || slot >= b->high;
  if (slot < b->low && b->high - slot < (1ull << 32) && b->low - slot < (8u << 20)) {
    // The stack has grown since it was looked at.
    foreign = false;
    b->low = w.low = slot & ~(uint64_t)4095;
  }
  if (foreign) {
    if (slot < b->other_low || slot >= b->other_high)
      if (!stack_mapping(slot, &b->other_low, &b->other_high)) b->other_low = b->other_high = 0;
    w.low = b->other_low;
    w.high = b->other_high;
  }
  uint64_t generation = __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (foreign || b->uncacheable || b->generation != generation) joined = 0;
  b->generation = generation;

  // Twice the limit, so that a deep recursion is walked anew once in `limit` returns, not at each.
  uint32_t most = 2 * limit, count = 0;
  enum outcome outcome = walk(b, &w, &count, most, &joined);
  while (joined) {
    uint32_t stale = first_stale(b, joined, limit);
    if (stale == joined) break;
    // Frame `stale` changed under the frames inside it: those are walked again, from the innermost of them.
    joined = stale;
    outcome = walk(b, &w, &count, most, &joined);
  }
  // A truncated backtrace that has lost too many frames is walked from the start, as far as it goes.
  if (joined && lacks_frames(b, joined + count, limit) && !w.crossed_signal) {
    w = begin_walk(slot, pc, rbp, w.low, w.high);
    count = joined = 0;
    outcome = walk(b, &w, &count, most, &joined);
  }
  b->depth = joined;
  if (!joined) b->truncated = false;
  uint32_t same = joined;
  if (!joined) begin_stack(b, &w, outcome, old, limit, &same);
  for (uint32_t i = count; i > 0; i--) {
    compare(b, old, b->fresh[i - 1].word, &same);
    push(b, &b->fresh[i - 1]);
  }
  // Contexts are on the heap: to look at them again is safe only while their frame is known to be there.
  b->uncacheable = foreign || w.crossed_signal || (!joined && outcome == ASYNC);
  return (backtrace_change){old - same, same};
}

/// Whether the frame outside of frame `index` still has its return address: the quick half of `unchanged`.
static inline bool holds(const backtrace *b, uint32_t index) {
  return b->slot[index - 1] == UINT64_MAX || word_at(b->slot[index - 1]) == b->pc[index - 1];
}

/// The caller of a frame by the two rules that nearly all code has; false for the others.
static inline __attribute__((always_inline)) bool step_quickly(const backtrace *b, fresh_frame *f) {
  unwind_rule rule = unwind_find(f->pc, true);
  uint64_t cfa;
  if (unwind_kind_of(rule) == UNWIND_FROM_RSP) cfa = f->slot + 8 + (uint64_t)unwind_cfa_offset(rule);
  else if (unwind_kind_of(rule) == UNWIND_FROM_RBP) cfa = f->rbp + (uint64_t)unwind_cfa_offset(rule);
  else return false;
  uint64_t slot = cfa - 8;
  if (slot <= f->slot || slot >= b->high || (slot & 7)) return false;
  f->rbp_slot = NULL;
  if (unwind_saves_rbp(rule)) {
    uint64_t rbp_slot = cfa + (uint64_t)unwind_rbp_offset(rule);
    if (rbp_slot <= f->slot || rbp_slot >= b->high || (rbp_slot & 7)) return false;
    f->rbp_slot = (const uint64_t *)rbp_slot;
    f->rbp_saved = word_at(rbp_slot);
    f->rbp = f->rbp_saved & ~ASYNC_FRAME_BIT;
  }
  f->slot = slot;
  f->pc = word_at(slot);
  f->word = f->pc << 2 | LIFELINE_SITE_RETURN;
  return f->pc != 0;
}

/// Whether a caller's frame at `caller_slot` with that rbp is what the rule for a frame leads to.
static inline __attribute__((always_inline)) bool leads_to(unwind_rule rule, uint64_t slot, uint64_t rbp, uint64_t caller_slot, uint64_t caller_rbp) {
  uint64_t base;
  if (unwind_kind_of(rule) == UNWIND_FROM_RSP) base = slot + 8;
  else if (unwind_kind_of(rule) == UNWIND_FROM_RBP) base = rbp;
  else return false;
  if (base + (uint64_t)unwind_cfa_offset(rule) - 8 != caller_slot) return false;
  if (!unwind_saves_rbp(rule)) return rbp == caller_rbp;
  uint64_t rbp_slot = caller_slot + 8 + (uint64_t)unwind_rbp_offset(rule);
  return rbp_slot > slot && rbp_slot < caller_slot && (word_at(rbp_slot) & ~ASYNC_FRAME_BIT) == caller_rbp;
}

/// A few fresh frames, then one that is known: frames[0 ..< n] are those outside of the fresh ones so far.
static inline __attribute__((always_inline)) backtrace_change update_inner(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp, uint32_t n, uint32_t limit) {
  enum { FEW = 6 };
  fresh_frame *f = b->fresh;
  *f = (fresh_frame){slot, pc, rbp, pc << 2, NULL, 0};
  uint32_t old = b->depth;
  for (;;) {
    while (n && b->slot[n - 1] < f->slot) n--;
    if (n && b->slot[n - 1] == f->slot) {
      uint32_t top = n - 1, count = (uint32_t)(f - b->fresh);
      // The frame outside of it is looked at first: when it changed, the others need not be compared yet.
      if (b->pc[top] == f->pc && b->rbp[top] == f->rbp && !lacks_frames(b, n + count, limit) && top && holds(b, top) &&
          unchanged(b, window(n + count, limit), top)) {
        b->depth = n;
        uint32_t pair = b->first_pair[top];
        if (b->first_pair[n] == pair || b->pair_address[pair] != f->rbp_slot) {
          b->depth = top;
          push(b, f);  // a callee has saved its rbp elsewhere this time
        }
        break;
      }
      n = top;
    }
    if (!n || f == b->fresh + FEW) return update_slowly(b, slot, pc, rbp, limit);
    f++;
    f->slot = f[-1].slot;
    f->pc = f[-1].pc;
    f->rbp = f[-1].rbp;
    if (!step_quickly(b, f)) return update_slowly(b, slot, pc, rbp, limit);
  }
  while (f > b->fresh + 1) push(b, --f);
  if (f > b->fresh) push_innermost(b, slot, pc, rbp);
  return (backtrace_change){old - n, n};
}

backtrace_change backtrace_update(backtrace *b, call_site at, uint32_t limit) {
  uint64_t slot = call_site_slot(at), pc = at[1], rbp = at[0] & ~ASYNC_FRAME_BIT;
  uint32_t old = b->depth, n = old;
  bool unloaded = b->generation != __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (b->uncacheable || unloaded || slot < b->low || slot >= b->high || old + 2 * limit + 2 >= BACKTRACE_CAPACITY)
    return update_slowly(b, slot, pc, rbp, limit);
  while (n && b->slot[n - 1] < slot) n--;
  uint32_t outside = n && b->slot[n - 1] == slot ? n - 1 : n;
  if (outside && holds(b, outside)) {
    if (outside != n && b->pc[outside] == pc && b->rbp[outside] == rbp) {
      // The same call again.
      if (!lacks_frames(b, n, limit) && unchanged(b, window(n, limit), outside)) {
        b->depth = n;
        return (backtrace_change){old - n, n};
      }
    } else if (leads_to(unwind_find(pc, true), slot, rbp, b->slot[outside - 1], b->rbp[outside - 1]) &&
               !lacks_frames(b, outside + 1, limit) && unchanged(b, window(outside + 1, limit), outside)) {
      // Another call of the function that made an earlier one: its caller's frame is known.
      b->depth = outside;
      push_innermost(b, slot, pc, rbp);
      return (backtrace_change){old - outside, outside};
    }
  }
  return update_inner(b, slot, pc, rbp, n, limit);
}

backtrace_change backtrace_at_fault(backtrace *b, const void *context, uint32_t limit) {
  uint32_t old = b->depth, count = 0, joined = 0;
  walker w = {.low = b->low, .high = b->high};
  enum outcome outcome = enter_context(&w, context);
  if (outcome == STEPPED) outcome = walk(b, &w, &count, 2 * limit, &joined);
  b->depth = 0;
  b->truncated = false;
  uint32_t same = 0;
  begin_stack(b, &w, outcome, 0, limit, &same);
  while (count) push(b, &b->fresh[--count]);
  b->uncacheable = true;
  return (backtrace_change){old, 0};
}

void backtrace_trim(backtrace *b, uint32_t limit) {
  uint32_t keep = 2 * limit, from = b->depth - keep;
  if (b->depth <= keep + 1) return;
  uint32_t pairs = b->first_pair[from], words = b->first_word[from];
  memmove(&b->pairs[0], &b->pairs[pairs], (b->first_pair[b->depth] - pairs) * sizeof *b->pairs);
  memmove(&b->pair_address[0], &b->pair_address[pairs], (b->first_pair[b->depth] - pairs) * sizeof *b->pair_address);
  memmove(&b->word_address[0], &b->word_address[words], (b->first_word[b->depth] - words) * sizeof *b->word_address);
  memmove(&b->word_value[0], &b->word_value[words], (b->first_word[b->depth] - words) * sizeof *b->word_value);
  memmove(&b->slot[1], &b->slot[from], keep * sizeof *b->slot);
  memmove(&b->pc[1], &b->pc[from], keep * sizeof *b->pc);
  memmove(&b->rbp[1], &b->rbp[from], keep * sizeof *b->rbp);
  memmove(&b->word[1], &b->word[from], keep * sizeof *b->word);
  for (uint32_t i = 0; i <= keep; i++) {
    b->first_pair[i + 1] = b->first_pair[from + i] - pairs;
    b->first_word[i + 1] = b->first_word[from + i] - words;
  }
  b->depth = 0;
  push_sentinel(b, LIFELINE_SITE_TRUNCATED);
  b->depth += keep;
}
