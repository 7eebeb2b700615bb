#include "Recording/budget.h"

#include "Process/aside.h"
#include "Process/clock.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Process/sample.h"
#include "Recording/thread_state.h"
#include "TraceFile/record.h"

enum {
  LONGEST = 1 << 13,          // ticks: in a longer entry another thread or the kernel ran
  BETWEEN = 50000000,         // ns between two looks at the share, about
  LEAST_WORK = 200000000,     // ns of processor time for which a share is computed
  RAREST = 1 << 20,           // at least one object in this many is recorded
};

/// In a page that a forked child sees empty.
static struct budget {
  uint64_t ticks;        // of measured entries
  uint64_t work;         // ns of work that is measured each time
  uint64_t start_ticks, start_time;
  uint64_t next_look;    // event clock; 0 while a thread looks
  uint64_t seen_ticks, seen_work, process;  // totals when the share was last computed
} *budget;

void budget_prepare(void) {
  if (!the_options.max_overhead) return;
  if (!budget) budget = memory_pages(sizeof *budget, true);
  if (!budget) return;
  budget->start_ticks = budget->next_look = clock_ticks();
  budget->start_time = clock_nanoseconds(CLOCK_MONOTONIC);
}

void budget_enter(thread_state *t) {
  t->until_measured = budget ? BUDGET_EVERY : UINT32_MAX;
  if (budget) t->measured_since = clock_ticks();
}

/// Halves the sample, or more, if the recorder takes more than its share; signals are held.
static void look(void *unused) {
  (void)unused;
  uint64_t elapsed = clock_ticks() - budget->start_ticks;
  if (!elapsed) return;
  // 1024 times the nanoseconds of a tick; general registers have no fractions.
  uint64_t rate = ((clock_nanoseconds(CLOCK_MONOTONIC) - budget->start_time) << 10) / elapsed;
  uint64_t ticks = __atomic_load_n(&budget->ticks, __ATOMIC_RELAXED),
           work = __atomic_load_n(&budget->work, __ATOMIC_RELAXED);
  uint64_t process = clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID), process_now = process - budget->process;
  uint64_t own_now = ((ticks - budget->seen_ticks) * BUDGET_EVERY * rate >> 10) + work - budget->seen_work;
  if (process_now >= LEAST_WORK) {
    budget->seen_ticks = ticks;
    budget->seen_work = work;
    budget->process = process;
    // In tenths of a percent of what the program does itself.
    uint64_t share = process_now > own_now ? own_now * 1000 / (process_now - own_now) : 1000;
    uint32_t denominator = sample_denominator();
    while (share > the_options.max_overhead && denominator < RAREST) {
      denominator *= 2;
      share /= 2;
    }
    if (denominator != sample_denominator()) {
      sample_choose(denominator);
      the_process->header->sample = denominator;
      record_sample(denominator);
    }
  }
}

void budget_leave(thread_state *t) {
  uint64_t now = clock_ticks(), taken = now - t->measured_since;
  t->measured_since = 0;
  __atomic_fetch_add(&budget->ticks, taken < LONGEST ? taken : LONGEST, __ATOMIC_RELAXED);
  uint64_t due = __atomic_load_n(&budget->next_look, __ATOMIC_RELAXED);
  if (!due || now < due ||
      !__atomic_compare_exchange_n(&budget->next_look, &due, 0, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  aside(look, NULL);
  // Ticks and nanoseconds are of one order.
  __atomic_store_n(&budget->next_look, clock_ticks() + BETWEEN, __ATOMIC_RELEASE);
}

uint64_t budget_begin_work(void) { return budget ? clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) : 0; }

void budget_end_work(thread_state *t, uint64_t before) {
  if (!budget || !before) return;
  __atomic_fetch_add(&budget->work, clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - before, __ATOMIC_RELAXED);
  if (t->measured_since) t->measured_since = clock_ticks();
}
