#pragma once
// The probe's locks, and the two rules for all of them.
//
// Signals are blocked while a lock is held, so no handler on the same thread can wait for it. All locks are in the page
// that reads as zero in a forked child, so none is inherited; data that a lock guards must be usable at any step of a
// change, since the thread that held the lock does not exist in the child.
#include "Process/lock_state.h"

/// A thread that holds a lock must not call the dynamic linker, whose own lock a program may hold when its event takes
/// one of these.
void lock_take(enum probe_lock which);
void lock_drop(enum probe_lock which);
