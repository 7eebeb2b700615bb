#include "Exploration/strategy.h"

#include <string.h>

#include "Process/options.h"

// Seeds take turns, so that many runs try all; the one that found most in the corpus comes twice
// (Documentation/Exploring.md).
//
//   everywhere   any point, asleep            for orders that no object shows
//   sites        every pass of some sites     for what must be late each time to be late at all
//   uses         shared objects, before uses  the end overtakes a use
static const enum strategy { EVERYWHERE, SITES, USES } turns[] = {EVERYWHERE, SITES, USES, SITES};

enum {
  LONGEST = 2000,  // microseconds of one random hold
  OWNERS = 16384,
};

/// Which thread touched an address last, and whether another ever did.
typedef struct owner {
  uint64_t address;
  uint32_t thread, shared;
} owner;

static owner owners[OWNERS];

/// Threads may race for a slot: that only changes the schedule.
static bool is_shared(uint64_t object, uint32_t thread) {
  owner *o = &owners[(object >> 4 ^ object >> 18) & (OWNERS - 1)];
  if (o->address != object) *o = (owner){object, thread, 0};
  if (o->thread != thread) o->shared = 1;
  o->thread = thread;
  return o->shared;
}

void strategy_begin(void) { memset(owners, 0, sizeof owners); }

uint64_t strategy_hold(uint64_t object, enum explore_side side, const site *s, uint32_t hit, uint32_t thread) {
  uint64_t seed = the_options.explore, draw = site_mix(seed ^ site_mix((uint64_t)s->key << 32 ^ hit));
  uint64_t length = 1 + (draw >> 32) % LONGEST;
  switch (turns[seed % (sizeof turns / sizeof *turns)]) {
    case EVERYWHERE: return draw % 20 == 0 ? length : 0;
    case USES: return side == EXPLORE_USE && is_shared(object, thread) && draw % 6 == 0 ? 2 * length : 0;
    default: return site_mix(seed ^ s->key) % 4 == 0 ? length : 0;
  }
}
