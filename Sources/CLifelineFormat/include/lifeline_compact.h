#pragma once
// The bytes of a compact trace: the output of `lifeline compact`, which reads like the original.
//
// It contains every byte of the original trace, so that it can be read, or expanded, like the original.
//
//   0            ┌──────────────────────────────────────────────┐
//                │ file header of the trace        (4096 bytes) │  lifeline_file_header; its version has
//   4096         ├──────────────────────────────────────────────┤    LIFELINE_VERSION_COMPACT set
//                │ compact header                    (64 bytes) │  lifeline_compact_header, written last
//   4160         ├──────────────────────────────────────────────┤
//                │ group 0                                      │
//                ├──────────────────────────────────────────────┤
//                │ …                                            │
//   directory    ├──────────────────────────────────────────────┤
//                │ groups     (32 bytes each)                   │  lifeline_compact_group
//                ├──────────────────────────────────────────────┤
//                │ chunk headers of the trace   (64 bytes each) │  lifeline_chunk_header
//                └──────────────────────────────────────────────┘
//
// A group holds `group_chunks` neighboring chunks of the trace (the last group: the rest), split into columns. One
// column has all bytes of one kind of field, in chunk order:
//
//   layout         for each chunk, two u32: how many bytes after its header are events, and how many raw bytes
//                  follow. The rest of the chunk is zero. Information chunks have no events; an event chunk's end at
//                  the first zero tag.
//   plain          raw bytes
//   tags … definitions   the fields of events (lifeline_event.h). Bytes are sorted according to the tags and kinds,
//                  valid or not; an unknown kind has no fields except a backtrace.
//
//   group: ┌───────────────────────────────────┬────────────┬────────────┬───┐
//          │ for each column two u32:          │ column 0   │ column 1   │ … │
//          │ its size, its size in the file    │ zstd frame │ zstd frame │   │
//          └───────────────────────────────────┴────────────┴────────────┴───┘
//   An empty column has no frame.
#include <stdint.h>

#include "lifeline_format.h"

#define LIFELINE_VERSION_COMPACT 0x10000u
#define LIFELINE_COMPACT_HEADER_SIZE 64u
#define LIFELINE_COMPACT_GROUP_LIMIT (64u << 20)  // most bytes of the trace in a group

// Columns: identifier, number, which field.
//
//   objects        the byte that is a slot of the cache or begins a distance
//   distances      the rest of a distance
//   classes, sizes the arguments of an allocation
//   changes        pops and pushes of a backtrace
//   sites          references to sites that were pushed
//   definitions    sites that a reference of 0 defines
#define LIFELINE_COLUMNS(X)                                                                                          \
  X(layout, 0) X(plain, 1) X(tags, 2) X(kinds, 3) X(times, 4) X(objects, 5) X(distances, 6) X(counts, 7) X(classes, 8) \
  X(sizes, 9) X(arguments, 10) X(changes, 11) X(sites, 12) X(definitions, 13)

#define LIFELINE_COLUMN_COUNT 14u

// Compact header.
//
//    0 ┌───────────────────┬───────────────────┐
//      │ size              │ directory         │
//   16 ├─────────┬─────────┼───────────────────┤
//      │ group_  │ groups  │ directory_        │
//      │ chunks  │         │ checksum          │
//   32 ├─────────┴─────────┼───────────────────┤
//      │ reserved          │ reserved          │
//   48 ├───────────────────┼───────────────────┤
//      │ file_checksum     │ header_checksum   │
//   64 └───────────────────┴───────────────────┘
typedef struct lifeline_compact_header {
  uint64_t size;                // bytes of the trace
  uint64_t directory;           // where the directory begins in this file; it extends to the end of the file
  uint32_t group_chunks;        // chunks in a group; at least 1, together at most LIFELINE_COMPACT_GROUP_LIMIT bytes
  uint32_t groups;
  uint64_t directory_checksum;  // lifeline_checksum of the directory
  uint64_t reserved[2];
  uint64_t file_checksum;       // of the file header, 4096 bytes
  uint64_t header_checksum;     // of the 56 bytes before it
} lifeline_compact_header;

#define LIFELINE_COMPACT_HEADER_SUMMED 56u

// Where a group is in the file, and the checksum of its bytes there.
typedef struct lifeline_compact_group {
  uint64_t offset;
  uint64_t length;
  uint64_t checksum;
  uint64_t events;  // tags in the group
} lifeline_compact_group;

#ifndef __cplusplus
_Static_assert(sizeof(lifeline_compact_header) == LIFELINE_COMPACT_HEADER_SIZE, "the drawing above is the format");
_Static_assert(sizeof(lifeline_compact_group) == 32, "the drawing above is the format");
#endif
