#include "Process/process.h"

#include "Process/signals.h"

process_state *the_process;
void (*process_begin_child)(void);

bool process_is_recording(void) {
  if (__atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_NEW && process_begin_child)
    process_begin_child();
  while (__atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_BEGINNING)
    signals_system_call(SYS_sched_yield, 0, 0, 0, 0);
  return process_recording();
}
