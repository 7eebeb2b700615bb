#pragma once
// Allocations and frees at depth "lives": the common case is inlined into the hook.
#include "Process/process.h"
#include "Recording/event.h"
#include "Recording/older.h"

/// Writes an allocation, with its arguments `class` and `size`, or a free.
static inline __attribute__((always_inline)) void event_write_life(thread_state *t, enum lifeline_event_kind kind,
                                                                   uint64_t object, call_site at, uint64_t class,
                                                                   uint64_t size) {
  // An address that this thread never allocated or freed may be older than the recording; now it is this thread's.
  if (!event_is_own_address(t, object) &&
      !(kind == LIFELINE_EVENT_allocate && event_is_memory_older(t)) &&
      (the_options.attached || __atomic_load_n(&the_process->header->threads, __ATOMIC_RELAXED) > 1))
    t->quiet = 0;
  if (__builtin_expect(the_options.attached, 0)) older_meet(kind, object);
  if (!event_is_foretold(t, at)) {
    event_write_life_anew(t, kind, object, at, class, size);
    return;
  }
  uint8_t tag, *end = event_put_life(t, kind, object, class, size, &tag);
  event_commit_life(t, kind, tag, end);
}
