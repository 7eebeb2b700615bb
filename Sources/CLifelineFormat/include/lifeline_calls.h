#pragma once
// The probe's functions for programs, defined once: the probe exports them as lifeline_NAME, and the Lifeline library
// finds them with dlsym.
#include <stdbool.h>
#include <stdint.h>

/// Where a tracked reference is declared; `file` and `function` are literals, identified by their addresses.
typedef struct lifeline_declaration {
  const char *file, *function;
  uint64_t line;
} lifeline_declaration;

// Result, name, parameters.
//
//   mark          puts a mark with a text of at most 8191 bytes into the trace, at this moment of the calling thread
//   start         starts the recorder in a process that it was not preloaded into; `options` is like LIFELINE_OPTIONS.
//                 NULL if it runs (even if it already did), otherwise a sentence. Older objects have no class in the
//                 trace. Other threads may be running.
//   trace_path    path of this process's trace, or NULL if there is none
//   is_recording  whether events are being recorded right now
//   reference     a tracked reference did something: LIFELINE_REFERENCE_* | LIFELINE_STRENGTH_* << 8 | the bytes from
//                 its owner to the reference << 16, 0 if it is not a property of an object. `at` is
//                 the frame of the function that the program called: the saved frame pointer, then the return address
//   watch         begins to watch for the end of an object; returns the key for is_gone, 0 if the object cannot be
//                 watched
//   is_gone       whether a watched object has been deallocated; false if unknown
//   lost          a reference was used for a message to a dead object: a use after free; LIFELINE_STRENGTH_*
//                 << 8 | bytes << 16 as above
//   span_begin    begins a span of this thread's work, LIFELINE_SPAN_*; returns its number, 0 if nothing is recorded
//   span_end      ends it, on any thread
//   pause         pauses or resumes recording of the calling thread; for code that reads the trace
//   attribute     objects allocated from now on are marked with a number: the value of a task-local UInt32 with the
//                 given key (the TaskLocal object); false if this process has no task-local values
//   hold          a span begins or stops keeping an object alive: LIFELINE_ROLE_*
//   explore       holds threads from now on, by the schedule of a seed, for `budget` microseconds in all; 0 ends that.
//                 For one thread at a time. NULL, or a sentence.
//   stop          ends a recording that `start` began, while other threads run; another may start. NULL, or a sentence
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
  X(const char *, explore, (uint64_t seed, uint64_t budget))                                                           \
  X(const char *, stop, (void))
