#pragma once
// Freed objects of one thread that are about to enter the quarantine (Detection/quarantine.h).
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUARANTINE_BATCH = 64 };

/// The memory of a freed object, as passed to swift_slowDealloc.
typedef struct quarantined {
  void *object;
  size_t size, alignment_mask;
} quarantined;

typedef struct quarantine_batch {
  uint32_t count;
  bool is_changing;  // a signal handler that finds it so keeps nothing
  quarantined memory[QUARANTINE_BATCH];
  quarantined leaving[2 * QUARANTINE_BATCH];  // scratch: a hook may not use much of the program's stack
} quarantine_batch;
