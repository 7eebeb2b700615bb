#include "Exploration/explore.h"

#include <stdbool.h>
#include <time.h>

#include "Exploration/site.h"
#include "Process/options.h"
#include "Process/signals.h"
#include "Recording/clock.h"
#include "Recording/event.h"
#include "Recording/thread.h"

// What a seed decides: which points hold their thread, and how. Seeds take turns, so that many runs try all.
//
//   everywhere   any point, asleep            for orders that no object shows
//   uses         shared objects, before uses  the end overtakes a use
//   ends         shared objects, before ends  a use overtakes the end
//   sites        every pass of some sites     for what must be late each time to be late at all
enum strategy { EVERYWHERE, USES, ENDS, SITES, STRATEGIES };

enum {
  LONGEST = 2000,  // microseconds of one random hold
  NAP = 50,        // between two looks whether the object has ended
  AFTERWARDS = 100,  // from the end of a deinit until the memory is surely given back
  HELD = 64,       // threads that are held at the same time
  OWNERS = 16384,
};

/// Who touched an address last, and whether it ever was somebody else.
typedef struct owner {
  uint64_t address;
  uint32_t thread, shared;
} owner;

/// What a held thread waits for: before a use, that the object ends; before a release or an allocation, that another
/// thread comes to do the same.
typedef struct awaited {
  uint64_t object;
  uint32_t side, ended;
} awaited;

static owner owners[OWNERS];
static awaited held[HELD];
static uint32_t held_count;
static uint64_t spent;  // microseconds, of all threads

/// Threads may race for a slot: the schedule is another one then, and nothing else happens.
static bool is_shared(uint64_t object, uint32_t thread) {
  owner *o = &owners[(object >> 4 ^ object >> 18) & (OWNERS - 1)];
  if (o->address != object) *o = (owner){object, thread, 0};
  if (o->thread != thread) o->shared = 1;
  o->thread = thread;
  return o->shared;
}

/// Microseconds that a random schedule holds a point, 0 for most.
static uint64_t drawn(uint64_t object, enum explore_side side, const site *s, uint32_t hit, uint32_t thread) {
  uint64_t seed = the_options.explore, draw = site_mix(seed ^ site_mix((uint64_t)s->key << 32 ^ hit));
  uint64_t length = 1 + (draw >> 32) % LONGEST;
  switch ((enum strategy)(seed % STRATEGIES)) {
    case EVERYWHERE: return draw % 20 == 0 ? length : 0;
    case USES: return side == EXPLORE_USE && is_shared(object, thread) && draw % 6 == 0 ? 2 * length : 0;
    case ENDS: return (side == EXPLORE_END || side == EXPLORE_DEINIT) && is_shared(object, thread) && draw % 6 == 0 ? length : 0;
    default: return site_mix(seed ^ s->key) % 4 == 0 ? length : 0;
  }
}

/// Microseconds that a written schedule holds a point.
static uint64_t listed(const site *s, uint32_t hit) {
  for (uint32_t i = 0; i < the_options.hold_count; i++) {
    const schedule_hold *h = &the_options.holds[i];
    if (h->key == s->key && (h->hit == hit || h->hit == 0)) return the_options.explore_longest;
  }
  return 0;
}

static void nap(uint64_t microseconds) {
  struct timespec time = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
  signals_system_call(SYS_nanosleep, (long)&time, 0, 0, 0);
}

static awaited *await(uint64_t object, enum explore_side side) {
  for (uint32_t i = 0; side != EXPLORE_DEINIT && i < HELD; i++) {
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
static bool hold(uint64_t object, enum explore_side side, uint64_t microseconds) {
  awaited *a = await(object, side);
  uint64_t end = clock_nanoseconds(CLOCK_MONOTONIC) + microseconds * 1000;
  bool has_ended = false;
  for (uint64_t now; !has_ended && (now = clock_nanoseconds(CLOCK_MONOTONIC)) < end;) {
    uint64_t left = (end - now) / 1000 + 1;
    nap(a && left > NAP ? NAP : left);
    has_ended = a && __atomic_load_n(&a->ended, __ATOMIC_ACQUIRE);
  }
  if (a) {
    __atomic_fetch_sub(&held_count, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&a->object, 0, __ATOMIC_RELEASE);
  }
  if (has_ended) nap(AFTERWARDS);
  return has_ended;
}

/// Lets those go that were waiting for this; whether there were any.
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

static void note(uint64_t object, call_site at, const site *s, uint32_t hit, uint64_t what) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint64_t arguments[3] = {s->key, hit, what};
  event_write(t, LIFELINE_EVENT_point, object, EVENT_NO_COUNT, 0, at, arguments, 3);
  thread_leave(t);
}

void explore_point(uint64_t object, enum explore_side side, call_site at) {
  if (!process_recording()) return;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  uint32_t thread = t->number;
  bool has_life = side == EXPLORE_BIRTH || !backtrace_is_on_stack(&t->stack, object, at);
  thread_leave(t);
  if (!has_life) return;
  site *s = site_at(at[1], side);
  if (!s) return;
  __atomic_fetch_add(&the_process->header->points, 1, __ATOMIC_RELAXED);
  uint32_t hit = __atomic_add_fetch(&s->hits, 1, __ATOMIC_RELAXED);
  if (the_options.explore_learns) {
    if (hit <= SITE_LAST_HIT) note(object, at, s, hit, LIFELINE_POINT_passed | (uint64_t)side << 2);
    return;
  }
  uint64_t length = the_options.hold_count ? listed(s, hit) : drawn(object, side, s, hit, thread);
  // Two threads that were held at the same place would both wait for the other.
  if ((side == EXPLORE_END || side == EXPLORE_BIRTH) && happens(object, side)) return;
  if (!length) return;
  uint64_t before = __atomic_fetch_add(&spent, length, __ATOMIC_RELAXED);
  if (before >= the_options.explore_budget) return;
  if (length > the_options.explore_budget - before) length = the_options.explore_budget - before;
  note(object, at, s, hit, LIFELINE_POINT_held | (uint64_t)side << 2);
  uint64_t begin = clock_nanoseconds(CLOCK_MONOTONIC);
  bool has_ended = hold(object, side, length);
  uint64_t took = (clock_nanoseconds(CLOCK_MONOTONIC) - begin) / 1000;
  if (took < length) __atomic_fetch_sub(&spent, length - took, __ATOMIC_RELAXED);
  note(object, at, s, hit, (has_ended ? LIFELINE_POINT_ended : LIFELINE_POINT_wentOn) | (uint64_t)side << 2 | took << 4);
}
