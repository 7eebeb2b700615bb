#pragma once
// The way from a program to the recorder in its process: a switch and a table of functions.
#include "lifeline_calls.h"
#include "lifeline_event.h"

typedef struct lifeline_recorder {
#define X(result, name, parameters) result(*name) parameters;
  LIFELINE_CALLS(X)
#undef X
} lifeline_recorder;

extern uint32_t lifeline_the_switch;

/// Functions of the recorder; all NULL while there is none.
const lifeline_recorder *lifeline_harness_recorder(void);

/// Whether calls are recorded: a load and a branch.
static inline bool lifeline_harness_is_on(void) {
  return __builtin_expect(__atomic_load_n(&lifeline_the_switch, __ATOMIC_ACQUIRE) != 0, 0);
}

/// Takes the recorder that is in the process already, preloaded or linked; false when there is none.
bool lifeline_harness_attach(void);
/// Loads the probe's library; NULL, or a sentence of the dynamic linker.
const char *lifeline_harness_load(const char *path);
/// Looks whether the recorder records, and sets the switch accordingly.
bool lifeline_harness_update(void);
/// Reads memory of this process that may be gone; false where a load would be a fault.
bool lifeline_harness_read(uint64_t address, void *into, uint64_t size);
