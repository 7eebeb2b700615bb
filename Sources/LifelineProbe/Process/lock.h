#pragma once
// The probe's locks, and the two rules for all of them.
//
// Signals are held while a lock is kept, so no handler on the same thread can wait for it. All locks lie in the page
// that a forked child sees empty, so none is inherited; what a lock guards must be of use however far its keeper had
// come, since the child has no keeper any more.
#include "Process/lock_state.h"

/// Who keeps a lock does not call the dynamic linker, whose own lock a program may keep when its event takes one of
/// these.
void lock_take(enum probe_lock which);
void lock_drop(enum probe_lock which);
