#pragma once
// Code that `lifeline attach` injects into a running process: it creates a thread there that calls one function of a
// library.
//
// It is copied unchanged, with the words of `parameters` filled in, and one thread of the process is redirected to
// `entry`. That thread saves its state, creates the new thread, restores everything and continues where it was, without
// help: the process that redirected it may have ended by then.
#include <stddef.h>
#include <stdint.h>

#define LIFELINE_INJECTED_MAGIC 0x454E494C4546494Cull  // "LIFELINE"

/// The first words of the code.
typedef struct lifeline_injected_parameters {
  uint64_t magic;
  uint64_t resume;          // where the borrowed thread resumes
  uint64_t area;            // where to map the lifeline_injected_area
  uint64_t borrowed;        // the borrowed thread's number, for cleaning up
  uint64_t errno_location;  // functions of the process's C library
  uint64_t pthread_create, pthread_self, pthread_detach, dlopen, dlsym, dlerror;
} lifeline_injected_parameters;

enum lifeline_injected_order { LIFELINE_INJECTED_WAIT = 0, LIFELINE_INJECTED_GO = 1, LIFELINE_INJECTED_CANCEL = 2 };

/// Memory that the borrowed thread maps, the new thread unmaps, and the caller reads and writes in between.
typedef struct lifeline_injected_area {
  uint32_t is_told;  // 1 once pthread_create has returned
  uint32_t order;    // set by the caller: the new thread waits 10 s for it
  uint32_t is_done;  // 1 once the new thread has its result …
  uint32_t is_read;  // … and the caller's answer that it has read it; the new thread waits 2 s for it
  uint64_t handle;   // the result of dlopen
  uint64_t result;   // the function's result, or dlerror's if `has_failed`
  uint32_t thread;   // number of the new thread
  uint32_t error;    // the result of pthread_create
  uint64_t function;
  uint32_t has_failed;  // 1 if there is no such library or function
  uint32_t reserved;
  uint64_t pause[2];  // a struct timespec
  char path[4096];    // of the library
  char name[128];     // of the function
  char argument[16384];
} lifeline_injected_area;

#define LIFELINE_INJECTED_AREA_SIZE 0x8000u
#define LIFELINE_INJECTED_ARGUMENT 4296u  // offset of `argument`: Swift does not import an array of its size

/// The code; `*size` is its size in bytes, `*entry` the offset of its first instruction.
const void *lifeline_injected_code(size_t *size, size_t *entry);
