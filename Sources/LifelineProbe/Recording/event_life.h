#pragma once
// Allocations and frees at depth "lives": the common case is inlined into the hook.
#include "Process/process.h"
#include "Recording/event.h"
#include "Recording/encoding.h"

/// Writes the event if its place is as expected. Otherwise it returns false and does nothing.
static inline __attribute__((always_inline)) bool event_life_quickly(thread_state *t, enum lifeline_event_kind kind,
                                                                     uint64_t object, call_site at, uint64_t class,
                                                                     uint64_t size) {
  if (!event_is_foretold(t, at)) return false;
  uint8_t *begin = t->cursor, *p = begin + 1, tag = (uint8_t)kind;
  __builtin_prefetch(begin + 1024, 1);  // as event_quickly does
  if (__builtin_expect(t->quiet == 0, 0)) {
    tag |= LIFELINE_EVENT_TIME;
    p = event_put_time(t, p);
  } else {
    t->quiet--;
  }
  uint32_t slot = lifeline_object_slot(object);
  cached_object *known = &t->objects[slot];
  if (object == t->last_object) tag |= LIFELINE_EVENT_SAME_OBJECT;
  else p = put_object(t, p, object, slot, known->address == object);
  known->address = object;
  known->counts = 0;
  if (kind == LIFELINE_EVENT_allocate) p = put_varint(put_varint(p, class), size);
  t->last_object = object;
  t->last_kind = kind;
  t->events++;
  t->cursor = p;
  __atomic_store_n(begin, tag, __ATOMIC_RELEASE);  // the commit
  return true;
}

/// Writes an allocation, with its arguments `class` and `size`, or a free.
static inline __attribute__((always_inline)) void event_write_life(thread_state *t, enum lifeline_event_kind kind,
                                                                   uint64_t object, call_site at, uint64_t class,
                                                                   uint64_t size) {
  // An address that this thread never allocated or freed may be older than the recording; now it is this thread's.
  if (!event_is_own_address(t, object) &&
      !(kind == LIFELINE_EVENT_allocate && event_is_memory_older(t)) &&
      (the_options.attached || __atomic_load_n(&the_process->header->threads, __ATOMIC_RELAXED) > 1))
    t->quiet = 0;
  if (!event_life_quickly(t, kind, object, at, class, size)) event_write_life_anew(t, kind, object, at, class, size);
}
