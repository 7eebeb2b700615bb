#pragma once
// A trace that keeps only so much (`--keep`): a ring of chunks, and a base line of what went with the oldest of them.
//
// The file header has LIFELINE_FLAG_RING. Chunks lie where they lie in any trace, but the place of an event chunk whose
// time is over is used again, for any sort of chunk; so a stream's first chunks are missing, and the file does not
// grow. What an event chunk tells of objects is folded into the base line before it goes:
//
//   1. `horizon` becomes its last clock, unless it is later already;
//   2. each of its events is applied to the base line;
//   3. the other side of the totals gets what they are now, and `fold` says that this is the side that holds, and the
//      chunk;
//   4. the chunk's magic number becomes 0, and `fold` names no chunk any more.
//
// Who reads does the same, in memory, with the events of all chunks up to the horizon, except the one that `fold`
// names. An event changes the base line only where nothing later did, so that it does no harm when it is applied twice:
// after a kill in step 2 the chunk is still there. So the events after the horizon are whole, whichever threads they
// are of, and what was before is known by class, birth and count.
//
// A *base* chunk holds one sort of the base line, `stream` says which, as an array behind its header; it is never
// sealed. `sequence` counts those of a sort from 0, and what they hold goes on from one to the next.
#include <stdint.h>

#define LIFELINE_BASE_CHUNK 0x424C4C4Cu  // "LLLB"

#define LIFELINE_BASE_OBJECTS 1u
#define LIFELINE_BASE_NODES 2u
#define LIFELINE_BASE_TOTALS 3u
#define LIFELINE_BASE_FINDINGS 4u

#define LIFELINE_BASE_LIVE 1u       // its count says whether its deinit has begun
#define LIFELINE_BASE_DEINITED 2u   // deallocated; unowned references keep the memory
#define LIFELINE_BASE_FREED 3u      // what was last at the address

// An object, 64 bytes. `address` is written last when it is new; 0 is no object.
typedef struct lifeline_base_object {
  uint64_t address;
  uint64_t birth;    // event clock of its allocation; 0: not seen
  uint64_t changed;  // event clock of the last event that it tells of
  uint32_t class_id;  // record id, 0: not known
  uint32_t size;      // bytes, 0: its class's instance size
  uint32_t thread;    // of its allocation
  uint32_t backtrace; // node of its allocation, 0: none
  uint32_t end_thread;     // of its free …
  uint32_t end_backtrace;  // … which is kept where freed objects are
  uint32_t count;   // strong count plus 1; 0: not known
  uint32_t state;   // LIFELINE_BASE_*
  uint32_t number;  // among the objects of its class, from 1, in the order in which they were folded
  uint32_t reserved;
} lifeline_base_object;

// A node of the tree of backtraces, 16 bytes; the first one is number 1. The word is that of a site (lifeline_event.h).
typedef struct lifeline_base_node {
  uint64_t word;
  uint32_t caller;  // node of the sites outside of it, 0: it is the outermost
  uint32_t reserved;
} lifeline_base_node;

// Objects of a class, by its record id, 16 bytes; two sides, of which the lowest bit of the fold's number says which
// one holds. Entry 0: events that have gone.
typedef struct lifeline_base_totals {
  uint64_t allocated[2];
} lifeline_base_totals;

// What the probe caught, 64 bytes; `kind` is written last.
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
