#pragma once
// What a process sends to `lifeline` when it ends, over the socket that the option `examine` names: "look at my memory
// now".
//
// The process sends a request, its ranges and the path of its trace, and waits for one byte or the end of the
// connection. The path is not part of the request, because Swift takes half a minute to compile uses of a structure
// with an array of 4,096.
#include <stdint.h>

#define LIFELINE_EXAMINE_MAGIC 0x344D4158454C4Cull  // "LLEXAM4"

#define LIFELINE_EXAMINE_CALLS 16u
#define LIFELINE_EXAMINE_REGISTERS 6u

typedef struct lifeline_range {
  uint64_t begin, end;
} lifeline_range;

// The owner of a page of `guards`, by page number. For an object with several pages, the first one's entry counts.
typedef struct lifeline_guard_owner {
  uint64_t object, metadata;
  uint32_t pages, usable;  // usable: the size that malloc would have returned for the object
  uint8_t freed;
  uint8_t open;  // accessible
} lifeline_guard_owner;

typedef struct lifeline_examine_request {
  uint64_t magic;
  uint32_t process, thread;  // as numbered by the process itself
  uint64_t stack_pointer;    // of the asking thread, before the recorder's own frames, and exit's
  // If a function of the program called exit: rbx, r12 to r15, and rbp there, which it or its callers may have in use.
  uint64_t registers[LIFELINE_EXAMINE_REGISTERS];
  // Return addresses from the function that called exit outwards, and the end of its frame; 0 if main returned, and if
  // the way there is unknown.
  uint64_t exit_calls[LIFELINE_EXAMINE_CALLS];
  uint64_t exit_frame;
  lifeline_range zombies;    // metadata of kept freed objects; empty if there are none
  lifeline_range guards;     // objects with their own pages; empty if there are none
  uint64_t guard_owners;     // the table of guard.c, and the number of its entries in use
  uint64_t guard_pages;
  uint32_t range_count;  // of the recorder's own memory; the ranges follow
  uint32_t path_size;    // bytes of the path, which follows the ranges; without a NUL
} lifeline_examine_request;

// Where the probe keeps the same facts at any time, for an examination that the process did not ask for: what the
// exported symbol `lifeline_own_memory` contains.
typedef struct lifeline_own_memory_places {
  uint64_t magic;
  uint64_t zombie_size;
  const lifeline_range *ranges;
  const uint32_t *range_count;  // may be larger than the table
  const uint64_t *zombies;      // where they begin; LIFELINE_NOWHERE if there are none
  const uint64_t *guards, *guard_size;  // likewise
  lifeline_guard_owner *const *guard_owners;
  const uint64_t *guard_pages;
} lifeline_own_memory_places;

#define LIFELINE_OWN_MEMORY "lifeline_own_memory"
#define LIFELINE_NOWHERE (1ull << 63)

#define LIFELINE_EXAMINE_RANGES 16384u  // maximum number of ranges
#define LIFELINE_EXAMINE_PATH 4096u     // maximum length of the path
