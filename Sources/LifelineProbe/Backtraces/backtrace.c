#include "Backtraces/backtrace.h"

#include <string.h>

#include "Async/async_context.h"
#include "Backtraces/branch.h"
#include "Backtraces/stack.h"
#include "Backtraces/trunk.h"
#include "Backtraces/walk_quickly.h"
#include "lifeline_format.h"
#include "Process/process.h"

static uint64_t mark_word(enum walk_outcome outcome) {
  return outcome == WALK_LOST ? LIFELINE_SITE_INCOMPLETE : LIFELINE_SITE_TRUNCATED;
}

/// The change from the last backtrace to trunk[0 ..< n] and fresh[0 ..< count].
__attribute__((noinline)) static backtrace_change change_to(const backtrace *b, uint32_t n, uint32_t count) {
  const tip *old = b->tip;
  const uint64_t *old_word = backtrace_tip_words(old);
  uint32_t kept = b->kept, was = kept + old->count, is = n + count, same = n < kept ? n : kept;
  for (; same < was && same < is; same++) {
    uint64_t before = same < kept ? b->word[same] : old_word[same - kept];
    if (before != (same < n ? b->word[same] : b->fresh[is - 1 - same].word)) break;
  }
  return (backtrace_change){was - same, is - same, old->context};
}

/// Makes a tip on trunk[n - 1] that can be recognized, of the innermost `frames` that were walked.
static tip *make_tip(backtrace *b, uint32_t n, const walked_frame *base, uint32_t frames) {
  const walked_frame *call = &b->fresh[0];
  tip *t = tip_by_path(b, base, frames);
  choose_branch(b, t, frames);
  *backtrace_latest(b, call->slot, call->pc) = t;
  t->slot = call->slot;
  t->pc = call->pc;
  t->rbp = call->rbp;
  t->rbp_mask = call->uses_rbp ? ~ASYNC_FRAME_BIT : 0;
  branch *r = t->branch;
  checks c = {r ? r->pairs : t->pairs, r ? r->words : t->words};
  for (uint32_t i = 1; i < frames; i++) add_checks(&c, &call[i], call[i].uses_rbp);
  add_checks(&c, base, b->uses_rbp[n - 1]);
  if (r) {
    r->pair_count = (uint32_t)(c.pairs - r->pairs);
    r->word_count = (uint32_t)(c.words - r->words);
    c = (checks){t->pairs, t->words};
  }
  while (c.pairs < t->pairs + TIP_FRAMES) *c.pairs++ = VERIFY_NOTHING;
  t->word_count = (uint32_t)(c.words - t->words);
  t->base_slot = b->slot[n - 1];
  t->base_pc = b->pc[n - 1];
  t->base_rbp = b->rbp[n - 1];
  return t;
}

/// The backtrace is trunk[0 ..< n] and fresh[0 ..< count] from now on; `base` is trunk[n - 1] as the walk met it.
static backtrace_change settle(backtrace *b, uint32_t n, const walked_frame *base, uint32_t count, bool cacheable,
                               uint32_t limit) {
  tip *old = b->tip;
  backtrace_change change = change_to(b, n, count);
  bool recognizable = cacheable && !b->plain, as_before = true;
  uint32_t frames = count;
  if ((!n || count > (recognizable ? TIP_FRAMES : 1)) && !(recognizable && recurs(b, n, count, limit))) {
    frames = recognizable && count > 2 ? 2 : 1;
    grow(b, n, base, count, frames);
    base = &b->fresh[frames];
    n = b->depth;
    as_before = false;
  }
  uint64_t serial = old->serial;
  tip *t = &b->loose;
  if (recognizable && n) {
    t = make_tip(b, n, base, frames);
    t->next = &b->loose;
    old->next = t;
  }
  t->kept = n;
  t->count = frames;
  if (t != &b->loose) follow(b, t, as_before ? serial : 0, change, limit);
  t->serial = ++b->serial;
  t->foretold = TIP_UNFORETOLD;
  uint64_t *words = t->branch ? t->branch->word : t->word;
  for (uint32_t i = 0; i < frames; i++) words[frames - 1 - i] = b->fresh[i].word;
  t->context = lifeline_prediction_context(b->fresh[0].word, frames > 1 ? b->fresh[1].word : n ? b->word[n - 1] : 0);
  b->tip = t;
  b->kept = n;
  b->least = !cacheable ? UINT32_MAX : b->truncated ? limit + 1 : 0;
  return change;
}

backtrace_change backtrace_compare(backtrace *b, const tip *old, uint32_t kept, uint32_t limit) {
  tip *t = b->tip;
  const uint64_t *old_word = backtrace_tip_words(old);
  uint32_t was = kept + old->count, is = t->kept + t->count, same = kept < t->kept ? kept : t->kept;
#define OLD_WORD(i) (i < kept ? b->word[i] : old_word[i - kept])
  while (same < was && same < is && OLD_WORD(same) == backtrace_word(b, same)) same++;
#undef OLD_WORD
  backtrace_change change = {was - same, is - same, old->context};
  follow(b, t, old->serial, change, limit);
  t->foretold = TIP_UNFORETOLD;
  return change;
}

/// Walks from `w` until one of trunk[0 ..< *joined] is met, collecting fresh frames innermost first.
static enum walk_outcome walk(backtrace *b, walker *w, uint32_t *count, uint32_t most, uint32_t *joined) {
  enum walk_outcome outcome = WALK_STEPPED;
  while (outcome == WALK_STEPPED) {
    if (*joined && !w->crossed_signal) {
      uint32_t n = *joined;
      while (n && b->slot[n - 1] < w->at.slot) n--;
      *joined = n;
      if (n && b->slot[n - 1] == w->at.slot) {
        if (*count && is_frame(b, n - 1, &w->at)) return WALK_STEPPED;
        --*joined;
      }
    }
    if (*count == most) { *joined = 0; return WALK_STEPPED; }
    b->fresh[(*count)++] = w->at;
    outcome = walk_step(w, &b->fresh[*count - 1]);
  }
  *joined = 0;
  return outcome;
}

/// Whether `depth` frames begin with "truncated" although fewer than the limit were kept.
static inline bool lacks_frames(const backtrace *b, uint32_t depth, uint32_t limit) {
  return b->truncated && depth <= limit;
}

/// The context of the asynchronous function inside of the last frame that was walked, the runtime's; 0 when it is not
/// known.
static uint64_t context_in_job(const backtrace *b, const walker *w, uint32_t count, const void *interrupted) {
  if (count < 2) return 0;
  const walked_frame *inside = &b->fresh[count - 2];
  async_frame frame = {inside->pc, inside->slot, w->at.slot + 8, inside->rbp, !(inside->word & LIFELINE_SITE_EXACT),
                       w->low, w->high};
  return async_context_of(&frame, interrupted);
}

/// What follows the frames that were walked, when none of the trunk was met: waiting callers, or a mark
/// that there are more. `interrupted` is the ucontext_t of the signal that they were seen from, or NULL.
static uint32_t add_outside(backtrace *b, const walker *w, enum walk_outcome outcome, uint32_t count, uint32_t limit,
                            const void *interrupted) {
  uint64_t *words = b->waiting;
  uint32_t marks = 0;
  b->truncated = false;
  uint64_t context = outcome == WALK_JOB ? context_in_job(b, w, count, interrupted) : w->context;
  // The frames of a job's executor say nothing about the function that it runs.
  if (outcome == WALK_JOB) count--;
  if (outcome == WALK_JOB && !context) {
    words[marks++] = LIFELINE_SITE_ASYNC_UNKNOWN;
    process_count(LIFELINE_COUNTER_incompleteBacktraces);
  } else if (outcome == WALK_JOB || outcome == WALK_ASYNC) {
    marks = async_callers(context, words, limit < BACKTRACE_ASYNC_LIMIT ? limit : BACKTRACE_ASYNC_LIMIT);
  } else if (outcome != WALK_OUTERMOST) {
    words[marks++] = mark_word(outcome);
    b->truncated = outcome != WALK_LOST;
    process_count(outcome == WALK_LOST ? LIFELINE_COUNTER_incompleteBacktraces : LIFELINE_COUNTER_truncatedBacktraces);
  }
  for (uint32_t i = 0; i < marks; i++) b->fresh[count++] = (walked_frame){.slot = UINT64_MAX, .word = words[i]};
  return count;
}

/// Whether an address is on the thread's own stack. Otherwise others[0] is the stack that it is on, or empty.
static bool is_own_stack(backtrace *b, uint64_t address) {
  if (address >= b->low && address < b->high) return true;
  struct other_stack found = {0, 0};
  uint32_t i = 0;
  while (i < OTHER_STACKS - 1 && (address < b->others[i].low || address >= b->others[i].high)) i++;
  if (address >= b->others[i].low && address < b->others[i].high) found = b->others[i];
  if (i == 0 && found.high) return false;  // still the same
  // Between two uses it may have been unmapped, partly or completely.
  if (found.high && !stack_still_mapped(address & ~(uint64_t)4095, found.high, b->fresh, sizeof b->fresh))
    found.high = 0;
  if (!found.high) {
    if (stack_has_grown(address, &b->low, b->high)) return true;
    if (!stack_mapping(address, &found.low, &found.high)) found = (struct other_stack){0, 0};
  }
  for (; i > 0; i--) b->others[i] = b->others[i - 1];
  b->others[0] = found;
  return false;
}

bool backtrace_is_in_frames(backtrace *b, uint64_t object, call_site at) {
  uint64_t slot = call_site_slot(at);
  if (is_own_stack(b, slot)) return object < b->high;
  walker w = walk_from_call(slot, at[1], at[0] & ~ASYNC_FRAME_BIT, b->others[0].low, b->others[0].high);
  // The mapping may be a heap in which such a stack was allocated: memory beyond the outermost frame is not the
  // stack's.
  walked_frame left = w.at;
  for (uint32_t frames = 0; frames < BACKTRACE_CAPACITY && object >= w.at.slot && !w.crossed_signal; frames++) {
    if (walk_step(&w, &left) != WALK_STEPPED) return false;
    left = w.at;
  }
  return object < w.at.slot && !w.crossed_signal;
}

__attribute__((noinline)) static backtrace_change walk_far(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp,
                                                           uint32_t limit) {
  uint32_t joined = b->depth;
  if (joined + 2 * limit + BACKTRACE_ASYNC_LIMIT >= BACKTRACE_CAPACITY) joined = 0;
  walker w = walk_from_call(slot, pc, rbp, b->low, b->high);
  bool foreign = !is_own_stack(b, slot);
  w.low = foreign ? b->others[0].low : b->low;
  if (foreign) w.high = b->others[0].high;
  w.own_low = b->low;
  w.own_high = b->high;
  uint64_t generation = __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (foreign || b->uncacheable || b->generation != generation) joined = 0;
  if (b->generation != generation) forget_tips(b);
  b->generation = generation;

  // Twice the limit, so that a deep recursion is walked completely once in `limit` returns, not at each one.
  uint32_t most = 2 * limit, count = 0;
  enum walk_outcome outcome = walk(b, &w, &count, most, &joined);
  while (joined) {
    uint32_t stale = first_stale(b, backtrace_window(joined + count, limit), joined - 1);
    if (stale == joined - 1) break;
    // Frame `stale` changed under the frames inside it: those are walked again, from the innermost of them.
    joined = stale;
    outcome = walk(b, &w, &count, most, &joined);
  }
  // A truncated backtrace that has lost too many frames is walked from the start, as far as it goes.
  if (joined && lacks_frames(b, joined + count, limit) && !w.crossed_signal) {
    w = walk_from_call(slot, pc, rbp, w.low, w.high);
    count = joined = 0;
    outcome = walk(b, &w, &count, most, &joined);
  }
  if (!joined) count = add_outside(b, &w, outcome, count, limit, NULL);
  // Contexts are on the heap: reading them again is safe only while their frame is known to exist.
  b->uncacheable = foreign || w.crossed_signal || (!joined && (outcome == WALK_ASYNC || outcome == WALK_JOB));
  return settle(b, joined, &w.at, count, !b->uncacheable, limit);
}

/// Tips pay off if they recur. If they do not, as in recursion over data, all frames except the innermost go to the
/// trunk, and tips are tried again from time to time.
static void choose(backtrace *b) {
  enum { PERIOD = 512, PLAIN_PERIODS = 64 };
  if (++b->walks < (b->plain ? PERIOD * PLAIN_PERIODS : PERIOD)) return;
  b->plain = !b->plain && b->recognized < 2 * PERIOD;
  b->walks = b->recognized = 0;
  if (!b->branch_credit) b->branch_credit = BRANCHES / 8;
}

// Steps that are taken by the two common rules; a thread that enters its work anew has this many frames to walk.
enum { FEW = 40 };

/// Walks a few steps until the trunk is met.
__attribute__((noinline)) static backtrace_change walk_near(backtrace *b, uint32_t n, uint32_t limit) {
  walked_frame *f = b->fresh;
  uint64_t slot = f->slot, pc = f->pc, rbp = f->rbp;
#pragma clang loop unroll(disable)
  for (uint32_t count = 1; count <= FEW; count++, f++) {
    if (!walk_quickly(f, f + 1, b->high)) break;
    while (n && b->slot[n - 1] < f[1].slot) n--;
    if (!n) break;
    if (b->slot[n - 1] != f[1].slot) continue;
    if (!is_frame(b, n - 1, f + 1)) { n--; continue; }
    if (lacks_frames(b, n + count, limit)) break;
    uint32_t stale = first_stale(b, backtrace_window(n + count, limit), n - 1);
    if (stale < n - 1) { n = stale; continue; }
    return settle(b, n, f + 1, count, true, limit);
  }
  return walk_far(b, slot, pc, rbp, limit);
}

/// The same for tips that are not made to be recognized: nearly every step is taken here, so every instruction counts.
static backtrace_change walk_plainly(backtrace *b, uint32_t limit) {
  walked_frame *first = b->fresh, *f = first;
  tip *t = &b->loose;
  uint32_t kept = b->kept, n = kept;
  if (b->tip != t || t->count != 1 || !kept || !walk_quickly(f, f + 1, b->high))
    return walk_far(b, f->slot, f->pc, f->rbp, limit);
  while (n < b->depth && b->slot[n] >= f[1].slot) n++;
  for (;;) {
    uint64_t slot = f[1].slot;
#pragma clang loop unroll(disable)
    while (n && b->slot[n - 1] < slot) n--;
    __asm__("" : "+r"(n));  // one variable for the loop to count, not one for each later use
    if (!n) break;
    if (b->slot[n - 1] == slot) {
      if (is_frame(b, n - 1, f + 1)) {
        uint32_t depth = n + (uint32_t)(f - first) + 1;
        if (depth < b->least) break;
        uint32_t stale = first_stale(b, backtrace_window(depth, limit), n - 1);
        if (stale == n - 1) goto met;
        n = stale;
      } else {
        n--;
      }
    }
    if (++f == first + FEW || !walk_quickly(f, f + 1, b->high)) break;
  }
  return walk_far(b, first->slot, first->pc, first->rbp, limit);
met:;
  uint32_t count = (uint32_t)(f - first);
  uint64_t word = first->pc << 2 | LIFELINE_SITE_RETURN, was = t->word[0];
  backtrace_change change = {kept + 1 - n, count + 1, t->context};
  if (n > kept) change = (backtrace_change){1, n - kept + count + 1, t->context};
  // The first frames that can differ nearly always do.
  first->word = word;
  if ((n < kept ? b->word[n] : was) == (n > kept ? b->word[kept] : f->word)) change = change_to(b, n, count + 1);
  if (count) grow(b, n, f + 1, count + 1, 1);
  n += count;
  t->word[0] = word;
  t->foretold = TIP_UNFORETOLD;
  t->kept = b->kept = n;
  t->context = lifeline_prediction_context(word, b->word[n - 1]);
  return change;
}

backtrace_change backtrace_walk(backtrace *b, uint64_t slot, uint64_t pc, uint64_t rbp, uint32_t limit) {
  rbp &= ~ASYNC_FRAME_BIT;
  choose(b);
  bool same_code = b->generation == __atomic_load_n(&unwind_generation, __ATOMIC_RELAXED);
  if (b->uncacheable || !same_code || slot < b->low || slot >= b->high || b->depth + FEW + 1 >= BACKTRACE_CAPACITY)
    return walk_far(b, slot, pc, rbp, limit);
  walked_frame *call = b->fresh;
  call->slot = slot;
  call->pc = pc;
  call->rbp = rbp;
  if (b->plain && b->tip == &b->loose) return walk_plainly(b, limit);
  *call = (walked_frame){slot, pc, rbp, pc << 2 | LIFELINE_SITE_RETURN, NULL, 0, NULL, true};
  uint32_t n = b->kept;
  while (n < b->depth && b->slot[n] >= slot) n++;
  return walk_near(b, n, limit);
}

backtrace_change backtrace_at_fault(backtrace *b, const void *context, uint32_t limit) {
  uint32_t count = 0, joined = 0;
  walker w = {.low = b->low, .high = b->high, .own_low = b->low, .own_high = b->high};
  enum walk_outcome outcome = walk_enter_context(&w, context);
  if (outcome == WALK_STEPPED) outcome = walk(b, &w, &count, 2 * limit, &joined);
  count = add_outside(b, &w, outcome, count, limit, context);
  b->uncacheable = true;
  return settle(b, 0, NULL, count, false, limit);
}

void backtrace_clear(backtrace *b) {
  b->tip = &b->loose;
  forget_tips(b);
  b->loose.slot = b->loose.count = b->kept = b->depth = b->least = 0;
  b->truncated = b->uncacheable = false;
  b->trunk_version++;
  b->branch_credit = BRANCHES / 2;
}

void backtrace_begin_thread(backtrace *b, uint64_t stack_pointer) {
  backtrace_clear(b);
  memset(b->others, 0, sizeof b->others);
  stack_bounds(stack_pointer, &b->low, &b->high);
}

void backtrace_trim(backtrace *b, uint32_t limit) {
  uint32_t keep = 2 * limit, from = b->kept - keep;
  if (b->kept <= keep + 1) return;
  uint32_t moved = b->depth - from, pairs = b->first_pair[from], words = b->first_word[from];
  memmove(&b->pairs[0], &b->pairs[pairs], (b->first_pair[b->depth] - pairs) * sizeof *b->pairs);
  memmove(&b->words[0], &b->words[words], (b->first_word[b->depth] - words) * sizeof *b->words);
  memmove(&b->slot[1], &b->slot[from], moved * sizeof *b->slot);
  memmove(&b->pc[1], &b->pc[from], moved * sizeof *b->pc);
  memmove(&b->rbp[1], &b->rbp[from], moved * sizeof *b->rbp);
  memmove(&b->uses_rbp[1], &b->uses_rbp[from], moved * sizeof *b->uses_rbp);
  memmove(&b->word[1], &b->word[from], moved * sizeof *b->word);
  for (uint32_t i = 0; i <= moved; i++) {
    b->first_pair[i + 1] = b->first_pair[from + i] - pairs;
    b->first_word[i + 1] = b->first_word[from + i] - words;
  }
  walked_frame mark = {.slot = UINT64_MAX, .word = LIFELINE_SITE_TRUNCATED};
  b->depth = 0;
  b->trunk_version++;
  push(b, &mark, false);
  b->depth += moved;
  b->kept = keep + 1;
  b->truncated = true;
  b->tip->kept = b->kept;
  if (!b->uncacheable) b->least = limit + 1;
}
