#pragma once
// The bytes of a Lifeline trace, version 3.
//
// A trace is one file per process. The probe writes it through shared mappings, so what was written
// survives any death of the process; `lifeline` reads it. All numbers are little-endian.
//
//   0            ┌──────────────────────────────────────────────┐
//                │ file header                     (4096 bytes) │  lifeline_file_header
//   4096         ├──────────────────────────────────────────────┤
//                │ chunk 0                   (chunk_size bytes) │  lifeline_chunk_header + contents
//                ├──────────────────────────────────────────────┤
//                │ chunk 1                                      │
//                ├──────────────────────────────────────────────┤
//                │ …                                            │
//                └──────────────────────────────────────────────┘
//
// There are two kinds of chunks, and in a trace with a limit (`--keep`) a third (`lifeline_ring.h`). An *information*
// chunk holds records (images, classes, threads, notices; `lifeline_record.h`). An *event* chunk belongs to one stream
// and holds events (`lifeline_event.h`). A stream is written by one thread at a time and, when that thread ends, by a
// later one. A chunk whose magic number is 0 was never begun. Chunks are claimed in any order:
// `sequence` orders the chunks of one stream.
#include <stdint.h>

#include "lifeline_event.h"
#include "lifeline_record.h"
#include "lifeline_ring.h"

#define LIFELINE_MAGIC "LIFELINE"  // 8 bytes, no terminator
#define LIFELINE_VERSION 3u
#define LIFELINE_HEADER_SIZE 4096u
#define LIFELINE_DEFAULT_CHUNK_SIZE (256u << 10)  // bytes; the smallest legal size is 4096
#define LIFELINE_ARCHITECTURE_X86_64 62u          // the ELF machine number

/// What the recording is doing, or how it ended.
enum lifeline_state {
  LIFELINE_STATE_RECORDING = 1,  // also after the process was killed
  LIFELINE_STATE_ENDED = 2,      // the process ended by itself, and the probe saw it
  LIFELINE_STATE_STOPPED = 3,    // the probe stepped aside; stop_reason says why
};

// Reasons for stepping aside, and reasons for recording nothing: identifier, number, sentence.
#define LIFELINE_STOP_REASONS(X)                                                                   \
  X(none, 0, "nothing stopped the recording")                                                      \
  X(diskFull, 1, "no space was left on the disk for the trace")                               \
  X(noMemory, 2, "there was no memory for the recorder's buffers")                              \
  X(noRuntime, 3, "the program does not load the Swift runtime (libswiftCore.so)")                 \
  X(unknownRuntime, 4, "the Swift runtime's entry points have an unknown form")                   \
  X(selfTestFailed, 5, "the self-test of the detours did not see its own events")                \
  X(refusedByKernel, 6, "the kernel refused to make the runtime's code writable")                  \
  X(ioError, 7, "the trace file could not be written")                                             \
  X(stoppedByFinding, 8, "a finding stopped the program, as requested")                                \
  X(sizeLimit, 9, "the trace reached its size limit")                                              \
  X(fileTooLarge, 10, "the file size limit (ulimit -f) was reached")   \
  X(breakpoint, 11, "a debugger's breakpoint stood at an entry point of the Swift runtime")          \
  X(noRoom, 12, "there was no free memory within reach of the Swift runtime's entry points")

enum lifeline_stop_reason {
#define X(name, number, text) LIFELINE_STOP_##name = number,
  LIFELINE_STOP_REASONS(X)
#undef X
};

// Kinds of loss and blindness, each with a counter in the header: identifier, index, meaning.
#define LIFELINE_COUNTERS(X)                                                                       \
  X(lostNested, 0, "events inside a signal handler that interrupted the recorder")                 \
  X(lostThreads, 1, "events of threads beyond the recorder's limit")                               \
  X(lostStopped, 2, "calls of the runtime, for objects of any class, after the recorder stood down") \
  X(lostClasses, 3, "objects of classes beyond the recorder's table")                              \
  X(incompleteBacktraces, 4, "backtraces whose outer frames could not be found")                   \
  X(truncatedBacktraces, 5, "backtraces deeper than the limit")                                    \
  X(recycledZombies, 6, "freed objects left the quarantine, so later uses could not be caught") \
  X(unguardedObjects, 7, "objects that got no guard page because the limit was reached")           \
  X(unrecordedAllocations, 8, "allocations of classes that are not recorded")                      \
  X(forks, 9, "1 when this process was made by fork")                                                      \
  X(selfTestFailures, 10, "entry points whose detour did not pass the self-test")                  \
  X(refusedDetours, 11, "entry points that could not be detoured")                                \
  X(incompleteNames, 12, "class names that were too long or could not be read, and are shown in part") \
  X(forgottenObjects, 13, "older objects are unknown because the base line was full, so more may be live") \
  X(forgottenFindings, 14, "older findings are unknown because the base line was full")        \
  X(forgottenRecords, 15, "names of threads, marks and spans were left out because the ring was full") \
  X(forgottenSamples, 16, "objects that were chosen for the sample were not recorded because there were too many")

enum lifeline_counter {
#define X(name, number, text) LIFELINE_COUNTER_##name = number,
  LIFELINE_COUNTERS(X)
#undef X
  LIFELINE_COUNTER_COUNT = 32,
};

/// How the process ended: noted by the recorder, then written by `lifeline` if it waited for the process.
enum lifeline_end {
  LIFELINE_END_UNKNOWN = 0,  // not observed, such as a child killed by a signal
  LIFELINE_END_EXIT = 1,     // end_value is the exit status, 0…255
  LIFELINE_END_SIGNAL = 2,   // end_value is the signal number
  LIFELINE_END_EXEC = 3,     // another program took its place
  LIFELINE_END_DETACHED = 4, // the recording was ended (`lifeline detach`); the process continued
};

// File header. Offsets in bytes; the rest of the 4096 bytes is zero.
//
//     0 ┌───────────────────┬─────────┬─────────────┐
//       │ magic             │ version │ header_size │
//    16 ├─────────┬─────────┼─────────┴─────────────┤
//       │ chunk_  │ archi-  │ session               │
//       │ size    │ tecture │                       │
//    32 ├─────────┼─────────┼───────────────────────┤
//       │ process │ parent  │ start_clock           │
//    48 ├─────────┴─────────┼───────────────────────┤
//       │ start_monotonic   │ start_realtime        │
//    64 ├───────────────────┼───────────────────────┤
//       │ end_clock         │ end_monotonic         │
//    80 ├─────────┬─────────┼─────────┬─────────────┤
//       │ state   │ stop    │ end     │ end_value   │
//    96 ├─────────┼─────────┼─────────┼─────────────┤
//       │ chunks  │ streams │ threads │ frames      │
//   112 ├─────────┼─────────┼─────────┼─────────────┤
//       │ flags   │ sample  │ points  │ age         │
//   128 ├─────────┴─────────┴─────────┴─────────────┤
//       │ counters, 32 × u64                        │
//   384 ├───────────────────┬───────────────────────┤
//       │ keep_size         │ keep_time             │
//   400 ├───────────────────┼───────────────────────┤
//       │ horizon           │ fold                  │
//   416 ├─────────┬─────────┼───────────────────────┤
//       │ begun   │ examine │ evicted               │
//   432 ├─────────┴─────────┼───────────────────────┘
//       │ forgotten         │
//   440 └───────────────────┘
typedef struct lifeline_file_header {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint32_t chunk_size;        // bytes, a multiple of 4096
  uint32_t architecture;      // ELF machine number
  uint64_t session;           // the same in every trace of one `lifeline record`
  uint32_t process;           // process ID
  uint32_t parent;            // parent process ID at the start
  uint64_t start_clock;       // event clock (see lifeline_event.h) at the start …
  uint64_t start_monotonic;   // … and CLOCK_MONOTONIC at the same moment, ns
  uint64_t start_realtime;    // CLOCK_REALTIME at the start, ns since 1970
  uint64_t end_clock;         // a later pair of the same clocks, updated at every new chunk:
  uint64_t end_monotonic;     // (end_monotonic − start_monotonic) / (end_clock − start_clock) is ns per tick
  uint32_t state;             // lifeline_state
  uint32_t stop_reason;       // lifeline_stop_reason
  uint32_t end;               // lifeline_end
  uint32_t end_value;
  uint32_t chunks;            // chunks claimed so far; the file may be shorter if the disk was full
  uint32_t streams;           // event streams begun
  uint32_t threads;           // threads seen
  uint32_t frames;            // maximum frames of a backtrace, 1…1024
  uint32_t flags;             // LIFELINE_FLAG_*
  uint32_t sample;            // one in this many objects is recorded; 0 or 1: all
  uint32_t points;            // points of an exploration that threads passed (lifeline_event.h)
  uint32_t age;               // if attached to a running process: its age in tenths of a second; else 0
  uint64_t counters[LIFELINE_COUNTER_COUNT];
  uint64_t keep_size;         // maximum bytes of the trace (lifeline_ring.h), 0: no limit
  uint64_t keep_time;         // ns after which events may be dropped, 0: no limit
  uint64_t horizon;           // event clock up to which events are in the base line; 0: none was dropped
  uint64_t fold;              // which part of the base line is valid: number of the fold << 32 | its chunk + 1, or 0
  uint32_t begun;             // chunks begun when `lifeline` completed the trace, 0: it did not; fewer were lost since
  uint32_t examine_error;     // errno of why the ending process could not ask `lifeline` to examine its memory; 0: none
  uint64_t evicted;           // event clock up to which the base line may lack freed objects that it knew, and …
  uint64_t forgotten;         // … ends of objects whose allocation it did not know yet
} lifeline_file_header;

#define LIFELINE_FLAG_ZOMBIES 1u      // freed objects were kept as zombies
#define LIFELINE_FLAG_GUARDS 2u       // some classes had guard pages
#define LIFELINE_FLAG_ALL_CLASSES 4u  // no class was left out
#define LIFELINE_FLAG_FILTERED 8u     // --only or --ignore was given
#define LIFELINE_FLAG_ATTACHED 32u    // the recording began in a running process: older objects were not seen to begin
#define LIFELINE_FLAG_LIVES 16u       // allocations and ends only: no retains, releases, weak and unowned references
#define LIFELINE_FLAG_QUEUES 128u     // events know the serial dispatch queue whose code runs
#define LIFELINE_FLAG_CHANCE 256u     // each object was in the sample by chance, not because of its address
#define LIFELINE_FLAG_RING 64u        // the oldest events are dropped (lifeline_ring.h)

#define LIFELINE_INFORMATION_CHUNK 0x494C4C4Cu  // "LLLI"
#define LIFELINE_EVENT_CHUNK 0x454C4C4Cu        // "LLLE"

// Chunk header.
//
//    0 ┌─────────┬─────────┬───────────────────┐
//      │ magic   │ stream  │ sequence          │
//   16 ├─────────┼─────────┼───────────────────┤
//      │ thread  │ sealed  │ first_clock       │
//   32 ├─────────┼─────────┼───────────────────┤
//      │ length  │ events  │ last_clock        │
//   48 ├─────────┴─────────┼───────────────────┤
//      │ checksum          │ header_checksum   │
//   64 └───────────────────┴───────────────────┘
//
// `sealed` is written last. Before it is 1 the fields from `length` on mean nothing and the contents
// end at the first zero tag. The checksum is lifeline_checksum of the bytes from 64 up to `length`; the
// header's own, of the 56 bytes before it with `sealed` 1, guards whose events they are and when.
typedef struct lifeline_chunk_header {
  uint32_t magic;
  uint32_t stream;       // 0 for information chunks; event streams are numbered from 1
  uint64_t sequence;     // position in the stream, from 0
  uint32_t thread;       // the thread (record number, from 1) that begins the chunk
  uint32_t sealed;       // 1 once the chunk is complete
  uint64_t first_clock;  // event clock at the start of the chunk: the base of its first time delta
  uint32_t length;       // bytes used, this header included
  uint32_t events;       // events in the chunk
  uint64_t last_clock;   // event clock of the last timed event
  uint64_t checksum;
  uint64_t header_checksum;
} lifeline_chunk_header;

#define LIFELINE_CHUNK_HEADER_SIZE 64u
#define LIFELINE_CHUNK_HEADER_SUMMED 56u  // bytes of it that header_checksum covers

#ifndef __cplusplus
_Static_assert(sizeof(lifeline_file_header) == 440, "the drawing above is the format");
_Static_assert(sizeof(lifeline_chunk_header) == LIFELINE_CHUNK_HEADER_SIZE, "the drawing above is the format");
#endif

/// 64-bit sum of `length` bytes that changes if any of their bits flips.
///
/// Four multiply-xor lanes over 8-byte words, so that it costs less than 0.2 ns per byte inside the traced process; the
/// tail is padded with zeros and the length is mixed in. Not cryptographic.
static inline uint64_t lifeline_checksum(const void *bytes, uint64_t length) {
  const uint64_t prime = 0x9E3779B97F4A7C15ull;
  uint64_t lane[4] = {1, 2, 3, 4};
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t rest = length;
  while (rest >= 32) {
    uint64_t word[4];
    __builtin_memcpy(word, p, 32);
    for (int i = 0; i < 4; i++) {
      lane[i] = (lane[i] ^ word[i]) * prime;
      lane[i] ^= lane[i] >> 29;
    }
    p += 32;
    rest -= 32;
  }
  uint64_t tail[4] = {0, 0, 0, 0};
  for (uint64_t i = 0; i < rest; i++) ((unsigned char *)tail)[i] = p[i];
  uint64_t sum = length * prime;
  for (int i = 0; i < 4; i++) {
    lane[i] = (lane[i] ^ tail[i]) * prime;
    sum = (sum ^ (lane[i] ^ (lane[i] >> 31))) * prime;
    sum ^= sum >> 32;
  }
  return sum;
}
