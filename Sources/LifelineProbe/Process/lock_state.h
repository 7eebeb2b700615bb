#pragma once
// The probe's locks, which are in the page of the process.
#include <stdint.h>

enum probe_lock {
  LOCK_THREADS,       // streams of ended threads
  LOCK_ZOMBIES,       // metadata of zombies
  LOCK_QUARANTINE,    // freed objects
  LOCK_WATCH,         // watched objects
  LOCK_ASYNC,         // the reader of asynchronous functions' code
  LOCK_DECLARATIONS,  // declarations that have a string
  LOCK_RECORDS,       // information records, images and classes; may be taken while another is held
  LOCK_RING,          // which chunks are discarded, and the base line; may be taken while any other is held
  LOCKS
};

typedef struct kept_lock {
  uint32_t taken;
  uint64_t signals;  // the holder's previous mask
} kept_lock;
