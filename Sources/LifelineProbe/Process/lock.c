#include "Process/lock.h"

#include "Process/process.h"
#include "Process/signals.h"

// Locks of our own: a program's pthread calls may be interposed.
void lock_take(enum probe_lock which) {
  kept_lock *lock = &the_process->locks[which];
  uint64_t signals = signals_hold();
  while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) signals_system_call(SYS_sched_yield, 0, 0, 0, 0);
  lock->signals = signals;
}

void lock_drop(enum probe_lock which) {
  kept_lock *lock = &the_process->locks[which];
  uint64_t signals = lock->signals;
  __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
  signals_restore(signals);
}
