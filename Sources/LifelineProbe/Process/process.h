#pragma once
// What this process records: one page, which reads as zero in a forked child.
#include <stdbool.h>
#include <stdint.h>

#include "lifeline_format.h"
#include "Process/lock_state.h"

/// State of this process; its page reads as zero in a forked child, which then starts a trace of its own.
typedef struct process_state {
  uint32_t state;  // PROCESS_*
  uint32_t asides; // stacks of the probe's own that are in use (aside.h)
  kept_lock locks[LOCKS];
  int fd;
  uint64_t file_id[2];  // device and inode: is `fd` still ours?
  lifeline_file_header *header;
  uint8_t *information, *information_end;
  uint8_t *information_chunk;
  uint64_t information_sequence;
  uint32_t recording;  // number of the process's recording, from 1: threads of an earlier one start over
  char path[4096];
} process_state;

enum {
  PROCESS_NEW = 0, PROCESS_STARTING = 1, PROCESS_RECORDING = 2, PROCESS_STOPPED = 3,
  PROCESS_BEGINNING = 4 /* a forked child */
};

extern process_state *the_process;

/// In a forked child: begins its own trace. Set by the constructor, called by the first hook that notices.
extern void (*process_begin_child)(void);

/// Whether events are recorded now. A forked child starts its own trace first, and other threads wait for that. Must be
/// called aside (aside.h): a handler on the starting thread would wait forever.
bool process_is_recording(void);

static inline bool process_recording(void) {
  return the_process && __atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_RECORDING;
}

/// Whether the recording has ended, permanently or until another one starts.
static inline bool process_has_stopped(void) {
  return __atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_STOPPED;
}

/// For how many tenths of a second the process has run; 0 if that is unknown.
uint32_t process_age(void);

static inline void process_count(enum lifeline_counter counter) {
  if (the_process && the_process->header)
    __atomic_fetch_add(&the_process->header->counters[counter], 1, __ATOMIC_RELAXED);
}
