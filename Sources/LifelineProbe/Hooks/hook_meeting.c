// The hooks of an exploration where threads meet. Most are a point followed by a tail call of the function itself. If
// the point comes after it, the hook has a frame meanwhile; no code of the program runs inside these functions.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "Hooks/hook_meeting.h"
#include "Detours/detour.h"
#include "Exploration/caller.h"
#include "Exploration/explore.h"
#include "Hooks/hook_entry.h"
#include "Process/runtime.h"
#include "TraceFile/record.h"

// A thread is held before it takes a lock, and after it has released one or signaled: waiting threads continue.
#define BEFORE(X) \
  X(pthread_mutex_lock, LOCK) X(pthread_mutex_trylock, LOCK) X(pthread_mutex_timedlock, LOCK) \
  X(pthread_mutex_clocklock, LOCK) X(pthread_rwlock_rdlock, LOCK) X(pthread_rwlock_wrlock, LOCK) \
  X(pthread_rwlock_tryrdlock, LOCK) X(pthread_rwlock_trywrlock, LOCK) X(dispatch_async, ENQUEUE) \
  X(dispatch_async_f, ENQUEUE) X(dispatch_barrier_async, ENQUEUE) X(dispatch_barrier_async_f, ENQUEUE) \
  X(dispatch_sync, ENQUEUE) X(dispatch_sync_f, ENQUEUE) X(dispatch_barrier_sync, ENQUEUE) \
  X(dispatch_barrier_sync_f, ENQUEUE) X(dispatch_async_and_wait, ENQUEUE) X(dispatch_barrier_async_and_wait, ENQUEUE) \
  X(dispatch_group_async, ENQUEUE) X(dispatch_group_async_f, ENQUEUE) X(dispatch_group_notify, ENQUEUE) \
  X(dispatch_group_notify_f, ENQUEUE)
#define BEFORE_THIRD(X) X(dispatch_after, ENQUEUE) X(dispatch_after_f, ENQUEUE)
#define BEFORE_TASK(X) \
  X(swift_task_enqueueGlobal, ENQUEUE) X(swift_task_enqueueGlobalWithDelay, ENQUEUE) \
  X(swift_task_enqueueGlobalWithDeadline, ENQUEUE) X(swift_task_enqueueMainExecutor, ENQUEUE) \
  X(swift_defaultActor_enqueue, ENQUEUE)
#define AFTER(X) \
  X(pthread_mutex_unlock, UNLOCK) X(pthread_rwlock_unlock, UNLOCK) X(pthread_cond_wait, WAIT) \
  X(pthread_cond_timedwait, WAIT) X(pthread_cond_clockwait, WAIT) X(pthread_cond_signal, SIGNAL) \
  X(pthread_cond_broadcast, SIGNAL) X(sem_wait, WAIT) X(sem_trywait, WAIT) X(sem_timedwait, WAIT) \
  X(sem_clockwait, WAIT) X(sem_post, SIGNAL) X(dispatch_semaphore_wait, WAIT) X(dispatch_semaphore_signal, SIGNAL) \
  X(dispatch_group_wait, WAIT) X(dispatch_group_leave, SIGNAL)
#define OTHERS(X) X(swift_task_switch) X(swift_job_run) X(_dispatch_client_callout)

typedef uint64_t (*any_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
#define PARAMETERS uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f
#define ARGUMENTS a, b, c, d, e, f

enum {
#define X(name, side) AT_##name,
  BEFORE(X) BEFORE_THIRD(X) BEFORE_TASK(X) AFTER(X)
#undef X
#define X(name) AT_##name,
  OTHERS(X)
#undef X
  FUNCTIONS
};
static any_function next[FUNCTIONS];
static uint64_t block_caller;  // libdispatch's function that calls a block and gives it back

#define X(name, side)                                                                                 \
  static uint64_t explored_##name(PARAMETERS) {                                                       \
    if (!caller_is_inner(CALL_SITE())) explore_meeting(a, EXPLORE_##side, CALL_SITE());               \
    TAIL_CALL next[AT_##name](ARGUMENTS);                                                             \
  }
BEFORE(X)
#undef X

#define X(name, side)                                                                                 \
  static uint64_t explored_##name(PARAMETERS) {                                                       \
    if (!caller_is_inner(CALL_SITE())) explore_meeting(b, EXPLORE_##side, CALL_SITE());               \
    TAIL_CALL next[AT_##name](ARGUMENTS);                                                             \
  }
BEFORE_THIRD(X)
#undef X

// The runtime of tasks puts a new task on a queue; the program's frame is further out. No other thread meets at it.
enum { TASK = 1 };
#define X(name, side)                                                                                 \
  static uint64_t explored_##name(PARAMETERS) {                                                       \
    if (!caller_is_below_tasks(CALL_SITE())) explore_meeting(TASK, EXPLORE_##side, CALL_SITE());         \
    TAIL_CALL next[AT_##name](ARGUMENTS);                                                             \
  }
BEFORE_TASK(X)
#undef X

#define X(name, side)                                                                                 \
  static uint64_t explored_##name(PARAMETERS) {                                                       \
    uint64_t result = next[AT_##name](ARGUMENTS);                                                     \
    if (!caller_is_inner(CALL_SITE())) explore_meeting(a, EXPLORE_##side, CALL_SITE());               \
    return result;                                                                                    \
  }
AFTER(X)
#undef X

/// The first argument is the function that continues on the other executor.
static uint64_t explored_swift_task_switch(PARAMETERS) {
  if (caller_is_program(a)) explore_code(a, EXPLORE_SWITCH, CALL_SITE());
  TAIL_CALL next[AT_swift_task_switch](ARGUMENTS);
}

static uint64_t explored_swift_job_run(PARAMETERS) {
  enum { RESUME = 56 };  // swift/ABI/Task.h, Job::RunJob and ResumeTask
  uint64_t code = *(const uint64_t *)(a + RESUME);
  explore_code(code, EXPLORE_RUN, CALL_SITE());
  TAIL_CALL next[AT_swift_job_run](ARGUMENTS);
}

/// The first words of a block (Block ABI of clang).
typedef struct block_layout {
  const void *isa;
  uint64_t flags, invoke;
  const struct { uint64_t reserved, size; } *descriptor;
  uint64_t captured;
} block_layout;

/// The code of a block; of one that only passes a Swift closure on, which it has captured, the closure's.
static uint64_t code_of_block(const block_layout *block) {
  if (!caller_is_program(block->invoke)) return 0;
  bool captures = block->descriptor && block->descriptor->size >= sizeof *block;
  return captures && caller_is_program(block->captured) ? block->captured : block->invoke;
}

static uint64_t explored__dispatch_client_callout(PARAMETERS) {
  uint64_t code = b == block_caller ? code_of_block((const block_layout *)a) : caller_is_program(b) ? b : 0;
  if (code) explore_code(code, EXPLORE_RUN, CALL_SITE());
  TAIL_CALL next[AT__dispatch_client_callout](ARGUMENTS);
}

static const struct { const char *name; any_function hook; } hooks[FUNCTIONS] = {
#define X(name, side) [AT_##name] = {#name, explored_##name},
    BEFORE(X) BEFORE_THIRD(X) BEFORE_TASK(X) AFTER(X)
#undef X
#define X(name) [AT_##name] = {#name, explored_##name},
    OTHERS(X)
#undef X
};

static void *function_named(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  return function ? function : runtime_symbol(name);
}

void explore_meetings(void) {
  const void *dispatch = function_named("dispatch_async_f");
  block_caller = (uint64_t)runtime_local_symbol(dispatch, "_dispatch_call_block_and_release");
  for (unsigned i = 0; i < FUNCTIONS; i++) {
    bool is_local = i == AT__dispatch_client_callout;
    void *function = is_local ? runtime_local_symbol(dispatch, hooks[i].name) : function_named(hooks[i].name);
    if (!function || detour_install(function, (void *)hooks[i].hook, (void **)&next[i])) continue;
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%s could not be detoured: no thread will be held there", hooks[i].name);
    record_notice(0, sentence);
  }
}
