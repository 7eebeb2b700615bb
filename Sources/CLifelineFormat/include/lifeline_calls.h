#pragma once
// What a program may call in the probe, once: the probe exports these functions as lifeline_NAME, the library Lifeline
// finds them with dlsym.
#include <stdbool.h>
#include <stdint.h>

/// Where a tracked reference is declared; `file` and `function` are literals: their addresses are their identity.
typedef struct lifeline_declaration {
  const char *file, *function;
  uint64_t line;
} lifeline_declaration;

// Result, name, parameters.
//
//   mark          puts a mark with a text of at most 8191 bytes into the trace, at this moment of the calling thread
//   start         starts the recorder in a process that it was not preloaded into; `options` is as LIFELINE_OPTIONS.
//                 NULL when it runs (also when it did before), else a sentence. Older objects have no class in the
//                 trace. Other threads may be running.
//   trace_path    path of this process's trace, or NULL when there is none
//   is_recording  whether events are being recorded right now
//   reference     a tracked reference did something: LIFELINE_REFERENCE_* | LIFELINE_STRENGTH_* << 8 | the bytes from
//                 the object that it is a property of to the reference << 16, 0 where there is no such object. `at` is
//                 the frame of the function that the program called: the saved frame pointer, then the return address
//   watch         begins to watch for the end of an object; gives what is_gone wants to know, 0 when it cannot be
//                 watched
//   is_gone       whether a watched object has been deallocated; false if unknown
//   lost          a reference was used for a message to an object that is gone: a use after free; LIFELINE_STRENGTH_*
//                 << 8 | bytes << 16 as above
//   span_begin    begins a stretch of this thread's work, LIFELINE_SPAN_*; gives its number, 0 when nothing is recorded
//   span_end      ends it, on whichever thread
//   pause         stops or goes on recording what the calling thread does; for code that reads the trace
//   attribute     objects allocated from now on are marked with a number: the value of a task-local UInt32, whose key
//                 (the TaskLocal object) is given; false when this process has no task-local values
//   hold          a span begins or ends to keep an object alive: LIFELINE_ROLE_*
//   explore       holds threads back from now on, by the schedule of a seed, for `budget` microseconds in all; 0 ends
//                 that. For one thread at a time. NULL, or a sentence.
#define LIFELINE_CALLS(X)                                                                                              \
  X(void, mark, (const char *text))                                                                                    \
  X(const char *, start, (const char *options))                                                                        \
  X(const char *, trace_path, (void))                                                                                  \
  X(bool, is_recording, (void))                                                                                        \
  X(void, reference,                                                                                                   \
    (const uint64_t *at, const lifeline_declaration *where, const void *object, uint32_t what, const void *reference)) \
  X(uint64_t, watch, (const void *object))                                                                             \
  X(bool, is_gone, (const void *object, uint64_t watch))                                                               \
  X(void, lost, (const lifeline_declaration *where, const void *object, uint32_t what, const void *reference))         \
  X(uint64_t, span_begin, (uint32_t sort, const char *text))                                                           \
  X(void, span_end, (uint32_t sort, uint64_t number))                                                                  \
  X(void, pause, (bool pauses))                                                                                        \
  X(bool, attribute, (const void *key))                                                                                \
  X(void, hold, (const void *object, uint32_t role, uint64_t span, bool begins))                                       \
  X(const char *, explore, (uint64_t seed, uint64_t budget))
