#pragma once
// The quarantine: memory of freed objects, kept for a while so that an access is recognized.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUARANTINE_BATCH = 64 };

/// The memory of a freed object, as swift_slowDealloc is given it.
typedef struct quarantined {
  void *object;
  size_t size, alignment_mask;
} quarantined;

/// Freed objects of one thread on their way into the quarantine.
typedef struct quarantine_batch {
  uint32_t count;
  bool is_changing;  // a signal handler that finds it so keeps nothing
  quarantined memory[QUARANTINE_BATCH];
  quarantined leaving[2 * QUARANTINE_BATCH];  // scratch: a hook may not use much of the program's stack
} quarantine_batch;

/// Makes room; false when there is no memory for it.
bool quarantine_prepare(void);
/// Keeps a zombie's memory; what has to leave the quarantine for it goes back through `release_memory`.
void quarantine_keep(quarantine_batch *batch, quarantined memory, void (*release_memory)(void *, size_t, size_t));
