#include "Exploration/explore.h"

#include <stdbool.h>
#include <time.h>

#include "Exploration/caller.h"
#include "Exploration/site.h"
#include "Exploration/strategy.h"
#include "Process/clock.h"
#include "Process/options.h"
#include "Process/signals.h"
#include "Recording/event.h"
#include "Recording/thread.h"

enum {
  NAP = 50,          // microseconds between checks whether the awaited event has happened
  AFTERWARDS = 100,  // from the end of a deinit until the memory is certainly freed
  OUTSIDE = 1000,    // from the end of another thread's critical section until what follows it is done as well
  HELD = 64,         // threads that are held at the same time
  LATE = 1000,       // how much longer than requested a nap may count
  STRETCH = 10,      // how many times its counted length a hold may last
};

/// What a held thread waits for: before a use, the end of the object; before a release or an allocation, another thread
/// at the same place; at a lock, that another thread has had it.
typedef struct awaited {
  uint64_t object;
  uint32_t side, ended;
} awaited;

static awaited held[HELD];
static uint32_t held_count;
static uint64_t spent;  // microseconds, of all threads

/// Microseconds that a written schedule holds a point.
static uint64_t listed(const site *s, uint32_t hit) {
  for (uint32_t i = 0; i < the_options.hold_count; i++) {
    const schedule_hold *h = &the_options.holds[i];
    if (h->key == s->key && (h->hit == hit || h->hit == 0)) return the_options.explore_longest;
  }
  return 0;
}

static uint64_t now_microseconds(void) { return clock_nanoseconds(CLOCK_MONOTONIC) / 1000; }

static void nap(uint64_t microseconds) {
  struct timespec time = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
  signals_system_call(SYS_nanosleep, (long)&time, 0, 0, 0);
}

static bool awaits(enum explore_side side) { return side <= EXPLORE_UNLOCK && side != EXPLORE_DEINIT; }

static awaited *await(uint64_t object, enum explore_side side) {
  for (uint32_t i = 0; awaits(side) && i < HELD; i++) {
    uint64_t nobody = 0;
    if (!__atomic_compare_exchange_n(&held[i].object, &nobody, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
    held[i].ended = 0;
    held[i].side = side;
    __atomic_store_n(&held[i].object, object, __ATOMIC_RELEASE);
    __atomic_fetch_add(&held_count, 1, __ATOMIC_SEQ_CST);
    return &held[i];
  }
  return NULL;
}

/// Holds the thread; whether the object ended meanwhile.
///
/// Oversleeping does not count: on a busy machine, or one with a processor quota, the awaited thread is late as well.
static bool hold(uint64_t object, enum explore_side side, uint64_t microseconds) {
  awaited *a = await(object, side);
  uint64_t begin = now_microseconds(), now = begin, counted = 0;
  bool has_ended = false;
  while (!has_ended && counted < microseconds && now - begin < STRETCH * microseconds) {
    uint64_t left = microseconds - counted, asked = a && left > NAP ? NAP : left, before = now;
    nap(asked);
    now = now_microseconds();
    counted += now - before < asked + LATE ? now - before : asked + LATE;
    has_ended = a && __atomic_load_n(&a->ended, __ATOMIC_ACQUIRE);
  }
  if (a) {
    __atomic_fetch_sub(&held_count, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&a->object, 0, __ATOMIC_RELEASE);
  }
  if (has_ended) nap(side >= EXPLORE_LOCK ? OUTSIDE : AFTERWARDS);
  return has_ended;
}

/// Releases the threads that were waiting for this; returns whether there were any.
static bool happens(uint64_t object, enum explore_side side) {
  if (!__atomic_load_n(&held_count, __ATOMIC_SEQ_CST)) return false;
  bool were_any = false;
  for (uint32_t i = 0; i < HELD; i++) {
    if (__atomic_load_n(&held[i].object, __ATOMIC_ACQUIRE) != object || held[i].side != side) continue;
    __atomic_store_n(&held[i].ended, 1, __ATOMIC_RELEASE);
    were_any = true;
  }
  return were_any;
}

void explore_ended(uint64_t object) {
  happens(object, EXPLORE_USE);
  happens(object, EXPLORE_END);
}

/// Records what happens to a thread at a point.
static void note(uint64_t object, call_site at, const site *s, uint32_t hit, enum explore_side side,
                 enum lifeline_point outcome, uint64_t microseconds) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint64_t arguments[3] = {s->key, hit, outcome | (uint64_t)side << 2 | microseconds << 8};
  event_write(t, LIFELINE_EVENT_point, object, EVENT_NO_COUNT, 0, at, arguments, 3);
  thread_leave(t);
}

void explore_begin(uint64_t seed, uint64_t budget) {
  __atomic_store_n(&the_options.explores, false, __ATOMIC_SEQ_CST);
  site_begin();
  strategy_begin();
  the_options.explore = seed;
  the_options.explore_budget = budget;
  __atomic_store_n(&spent, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&the_options.explores, seed != 0, __ATOMIC_SEQ_CST);
}

/// Whether there is a schedule now: an explored test may have ended.
static bool explores(void) { return process_recording() && __atomic_load_n(&the_options.explores, __ATOMIC_RELAXED); }

static void point(uint64_t object, enum explore_side side, uint64_t place, uint32_t thread, call_site at) {
  site *s = site_at(place, side);
  if (!s) return;
  __atomic_fetch_add(&the_process->header->points, 1, __ATOMIC_RELAXED);
  uint32_t hit = __atomic_add_fetch(&s->hits, 1, __ATOMIC_RELAXED);
  if (the_options.explore_learns) {
    if (hit <= SITE_LAST_HIT) note(object, at, s, hit, side, LIFELINE_POINT_passed, 0);
    return;
  }
  uint64_t length = the_options.hold_count ? listed(s, hit) : strategy_hold(object, side, s, hit, thread);
  // Two threads that were held at the same place would both wait for the other.
  if ((side == EXPLORE_END || side == EXPLORE_BIRTH) && happens(object, side)) return;
  if (side == EXPLORE_UNLOCK) {
    bool were_before = happens(object, EXPLORE_LOCK), were_after = happens(object, EXPLORE_UNLOCK);
    if (were_before || were_after) return;
  }
  if (!length) return;
  uint64_t before = __atomic_fetch_add(&spent, length, __ATOMIC_RELAXED);
  if (before >= the_options.explore_budget) return;
  if (length > the_options.explore_budget - before) length = the_options.explore_budget - before;
  note(object, at, s, hit, side, LIFELINE_POINT_held, 0);
  uint64_t begin = now_microseconds();
  bool has_ended = hold(object, side, length);
  uint64_t took = now_microseconds() - begin;
  if (took < length) __atomic_fetch_sub(&spent, length - took, __ATOMIC_RELAXED);
  note(object, at, s, hit, side, has_ended ? LIFELINE_POINT_ended : LIFELINE_POINT_wentOn, took);
}

void explore_point(uint64_t object, enum explore_side side, call_site at) {
  if (!explores()) return;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint32_t thread = t->number;
  bool has_life = side == EXPLORE_BIRTH || !backtrace_is_on_stack(&t->stack, object, at);
  thread_leave(t);
  if (has_life) point(object, side, at[1], thread, at);
}

void explore_meeting(uint64_t object, enum explore_side side, call_site at) {
  if (!explores()) return;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint32_t thread = t->number;
  uint64_t place = caller_in_program(t, at);
  thread_leave(t);
  if (place) point(object, side, place, thread, at);
}

void explore_code(uint64_t code, enum explore_side side, call_site at) {
  if (!explores()) return;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint32_t thread = t->number;
  thread_leave(t);
  point(code, side, code, thread, at);
}
