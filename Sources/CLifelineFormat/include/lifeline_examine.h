#pragma once
// What a process tells `lifeline` at its end, over the socket that the option `examine` names: "look at my memory now".
//
// The process sends a request, its ranges and the path of the trace that it writes, and waits for one byte, or for the
// end of the connection. The path is not part of the request, since Swift takes half a minute to compile what uses a
// structure with an array of 4,096.
#include <stdint.h>

#define LIFELINE_EXAMINE_MAGIC 0x324D4158454C4Cull  // "LLEXAM2"

typedef struct lifeline_range {
  uint64_t begin, end;
} lifeline_range;

// Whose a page of `guards` is; by page number. Of an object with several pages the first one's entry counts.
typedef struct lifeline_guard_owner {
  uint64_t object, metadata;
  uint32_t pages, usable;  // usable: what malloc would have given for the object
  uint8_t freed;
  uint8_t open;  // accessible
} lifeline_guard_owner;

typedef struct lifeline_examine_request {
  uint64_t magic;
  uint32_t process, thread;  // as the process itself numbers them
  uint64_t stack_pointer;    // of the asking thread, before the recorder's own frames
  lifeline_range zombies;    // metadata of freed objects that are kept; empty when none are
  lifeline_range guards;     // objects with pages of their own; empty when there are none
  uint64_t guard_owners;     // the table of guard.c, and how many of its entries are in use
  uint64_t guard_pages;
  uint32_t range_count;  // of the recorder's own memory; they follow
  uint32_t path_size;    // bytes of the path, which follows them; without a NUL
} lifeline_examine_request;

#define LIFELINE_EXAMINE_RANGES 16384u  // most ranges that are sent
#define LIFELINE_EXAMINE_PATH 4096u     // longest path
