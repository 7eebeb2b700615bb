#pragma once
// Zombies: a freed object keeps its memory for a while, with metadata that redirects every call to a report.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/call_site.h"
#include "Objects/object.h"
#include "Process/options.h"
#include "Process/sample.h"

enum { ZOMBIE_ARENA = 64 << 20 };

#define ZOMBIE_NOWHERE (1ull << 63)  // an address that no metadata has

extern uint64_t zombie_arena;  // where the metadata of zombies is, ZOMBIE_NOWHERE when there are none

/// Whether a limit that the program has on its address space leaves room for them.
bool zombie_has_room(void);
/// Reserves the arena and writes the thunks; false when that is impossible, and then there are no zombies.
bool zombie_prepare(void);

/// Whether freed objects become zombies now; those of an earlier recording may still be there if not.
static inline bool zombie_wanted(void) { return the_options.zombies && zombie_arena != ZOMBIE_NOWHERE; }

/// Whether metadata is that of a zombie.
static inline bool zombie_is(uint64_t metadata) { return metadata - zombie_arena < ZOMBIE_ARENA; }

/// Whether an object is recorded: one in the sample, or a zombie, which was in it.
static inline bool zombie_or_sampled(const void *pointer) {
  return sample_has(pointer) || zombie_is(object_at(pointer)->metadata);
}

/// Forgets the zombies' metadata of classes whose own lay in [first, end).
void zombie_forget(uint64_t first, uint64_t end);
/// Replaces a dead object's metadata by that of zombies of its class; false when there is no room left.
bool zombie_mark(uint64_t object);

/// Records an access to a zombie and stops the program if the options say so.
/// `detail` is the second argument of the event useAfterFree, and `reference` the third one of a read.
void zombie_report(uint64_t object, uint32_t access, uint64_t detail, uint64_t reference, call_site at);
