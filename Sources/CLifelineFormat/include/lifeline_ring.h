#pragma once
// A trace of limited size or age (`--keep`): a ring of chunks, and a base line with the state from dropped chunks.
//
// The file header has LIFELINE_FLAG_RING. Chunks are located as in any trace, but the place of an expired event chunk
// is reused, for any kind of chunk; so a stream's first chunks are missing, and the file does not grow. The facts about
// objects in an event chunk are folded into the base line before it is dropped:
//
//   1. `horizon` becomes its last clock, unless it is already later;
//   2. each of its events is applied to the base line;
//   3. the inactive side of the totals gets the current totals, and `fold` makes it the active side and names the
//      chunk;
//   4. the chunk's magic number becomes 0, and `fold` names no chunk.
//
// A reader does the same in memory with the events of all chunks up to the horizon, except the one that `fold` names.
// An event changes the base line only if nothing later did, so applying it twice is harmless: after a kill in step 2
// the chunk is still there. So the events after the horizon are complete for all threads, and the state before it is
// known by class, allocation and count.
//
// A *base* chunk has one kind of base line data, given by `stream`, as an array after its header; it is never sealed.
// `sequence` counts the chunks of a kind from 0, whose contents continue from one to the next.
#include <stdint.h>

#define LIFELINE_BASE_CHUNK 0x424C4C4Cu  // "LLLB"

#define LIFELINE_BASE_OBJECTS 1u
#define LIFELINE_BASE_NODES 2u
#define LIFELINE_BASE_TOTALS 3u
#define LIFELINE_BASE_FINDINGS 4u

#define LIFELINE_BASE_LIVE 1u       // its count shows whether its deinit has begun
#define LIFELINE_BASE_DEINITED 2u   // deallocated; unowned references keep the memory
#define LIFELINE_BASE_FREED 3u      // the last object at the address

// An object, 64 bytes. For a new object `address` is written last; 0 is no object.
typedef struct lifeline_base_object {
  uint64_t address;
  uint64_t birth;    // event clock of its allocation; 0: not seen
  uint64_t changed;  // event clock of the last event included
  uint32_t class_id;  // record id, 0: not known
  uint32_t size;      // bytes, 0: its class's instance size
  uint32_t thread;    // of its allocation
  uint32_t backtrace; // node of its allocation, 0: none
  uint32_t end_thread;     // of its free …
  uint32_t end_backtrace;  // … which is kept where freed objects are
  uint32_t count;   // strong count plus 1; 0: not known
  uint32_t state;   // LIFELINE_BASE_*
  uint32_t number;  // among the objects of its class, from 1, in the order of folding
  uint32_t balance;  // frees minus allocations at this address so far; for the recorder
} lifeline_base_object;

// A node of the tree of backtraces, 16 bytes; the first is number 1. The word is that of a site (lifeline_event.h).
typedef struct lifeline_base_node {
  uint64_t word;
  uint32_t caller;  // node of the next outer site, 0: it is the outermost
  uint32_t reserved;
} lifeline_base_node;

// Objects of a class, by record id, 16 bytes. There are two sides, and the lowest bit of the fold's number selects the
// valid one. Entry 0: the number of dropped events.
typedef struct lifeline_base_totals {
  uint64_t allocated[2];
} lifeline_base_totals;

// A problem that the probe caught, 64 bytes; `kind` is written last.
typedef struct lifeline_base_finding {
  uint64_t clock;
  uint64_t object;
  uint64_t arguments[3];
  uint32_t kind;  // event kind; 0: no finding
  uint32_t thread;
  uint32_t backtrace;
  uint32_t reserved;
  uint64_t reserved_too;
} lifeline_base_finding;

#ifndef __cplusplus
_Static_assert(sizeof(lifeline_base_object) == 64, "the list above is the format");
_Static_assert(sizeof(lifeline_base_node) == 16, "the list above is the format");
_Static_assert(sizeof(lifeline_base_totals) == 16, "the list above is the format");
_Static_assert(sizeof(lifeline_base_finding) == 64, "the list above is the format");
#endif
