#pragma once
// The probe's locks, and the two rules for all of them.
//
// Signals are held while a lock is kept, so no handler on the same thread can wait for it. All locks lie in the page that a
// forked child sees empty, so none is inherited; what a lock guards must be of use however far its keeper had come, since
// the child has no keeper any more.
#include <stdint.h>

enum probe_lock {
  LOCK_THREADS,       // streams of ended threads
  LOCK_ZOMBIES,       // metadata of zombies
  LOCK_QUARANTINE,    // freed objects
  LOCK_WATCH,         // watched objects
  LOCK_ASYNC,         // the reader of asynchronous functions' code
  LOCK_DECLARATIONS,  // declarations that have a string
  LOCK_RECORDS,       // information records, images and classes; may be taken while another is kept
  LOCKS
};

typedef struct kept_lock {
  uint32_t taken;
  uint64_t signals;  // the keeper's mask before
} kept_lock;

/// Who keeps a lock does not call the dynamic linker, whose own lock a program may keep when its event takes one of these.
void lock_take(enum probe_lock which);
void lock_drop(enum probe_lock which);
