#pragma once
// Encodes events into the current chunk of a thread's stream (lifeline_event.h).
#include <stdint.h>

#include "Process/options.h"
#include "Recording/encoding.h"
#include "Recording/interruption.h"
#include "Recording/memory_returns.h"
#include "Recording/thread_state.h"

enum { EVENT_NO_COUNT = -1 };

/// Prepares to record, knowing nothing about any address yet; without memory for that the recording stops.
void event_prepare(void);

/// Writes one event. `count` is the strong count after it, or EVENT_NO_COUNT for kinds without one and
/// counts that could not be read. `change` is what the kind adds to a predicted count.
void event_write(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                 call_site at, const uint64_t *arguments, uint32_t argument_count);
/// The same for the kinds that every lifetime has.
void event_write_allocation(thread_state *t, uint64_t object, call_site at, uint64_t class, uint64_t size);
void event_write_final_release(thread_state *t, uint64_t object, call_site at);
void event_write_deallocation(thread_state *t, uint64_t object, call_site at);
/// Writes a free at the very place of the last event.
void event_write_free_here(thread_state *t, uint64_t object);
/// A retain or release of an object in the cache whose count is the predicted one, and which needs no time; the chunk
/// has room and its backtrace is known.
void event_write_counted(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                         call_site at);
/// Writes the time of an event, which is its first field.
uint8_t *event_put_time(thread_state *t, uint8_t *p);
/// An allocation or a free at depth "lives" whose place is not the expected one (event_life.h).
void event_write_life_anew(thread_state *t, enum lifeline_event_kind kind, uint64_t object, call_site at,
                           uint64_t class, uint64_t size);
/// One event of an instruction that faulted; `context` is the ucontext_t of its signal.
void event_write_at_fault(thread_state *t, enum lifeline_event_kind kind, uint64_t object, const void *context,
                          const uint64_t *arguments, uint32_t argument_count);
/// Prepares the state of the calling thread for events.
void event_begin_thread(thread_state *t);
/// The stream now belongs to the thread `t->number`.
void event_thread(thread_state *t);
/// The thread runs the task `t->task_number` from here on; 0 for none.
void event_task(thread_state *t);
/// The thread runs code of a serial queue with the label `t->queue_label` from here on; 0 for none.
void event_queue(thread_state *t);
/// Completes the open chunk.
void event_flush(thread_state *t);

enum { EVENT_ADDRESS_SLOTS = 1 << 17 };

/// address << 16 | stream, 0 where no event was; the heap orders those who share an address
extern uint64_t *event_last_of_address;

/// Whether few events and no interruption came since the thread last wrote a time.
static inline __attribute__((always_inline)) bool event_may_be_quiet(const thread_state *t) {
  return t->quiet && !interruption_since(t->uninterrupted);
}

/// Whether all memory that an allocation can get now was freed before the thread last wrote a time.
static inline __attribute__((always_inline)) bool event_is_memory_older(const thread_state *t) {
  return the_options.zombies && t->returns == memory_returns_now();
}

/// Whether the stream of this thread was the last to allocate or free an object at this address, as far as is
/// remembered, or the first of all: then what it does next to that address comes later in the same stream, and needs no
/// time to be in order. Objects are at least 32 bytes apart.
static inline __attribute__((always_inline)) bool event_is_own_address(const thread_state *t, uint64_t object) {
  uint64_t *slot = &event_last_of_address[(object >> 5 ^ object >> 22) & (EVENT_ADDRESS_SLOTS - 1)];
  uint64_t own = object << 16 | t->stream, last = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if (last == own) return true;
  __atomic_store_n(slot, own, __ATOMIC_RELAXED);
  return last == 0;
}

/// Whether the backtrace of a place follows the last one as the reader will predict; then it is brought up to date. The
/// chunk has room for an event of it.
static inline __attribute__((always_inline)) bool event_is_foretold(thread_state *t, call_site at) {
  if (!t->stack_known || (size_t)(t->limit - t->cursor) < 64) return false;
  tip *old = t->stack.tip, *now = backtrace_expected(&t->stack, at);
  if (!now || t->predictions[lifeline_prediction_slot(old->context, t->last_kind)].version != now->foretold)
    return false;
  t->stack.recognized++;
  t->stack.tip = now;
  t->stack.kept = now->kept;
  return true;
}

/// Writes the most common event: a retain or release with the expected object, place and count, which needs no time.
/// Otherwise it returns false and does nothing.
static inline __attribute__((always_inline)) bool event_quickly(thread_state *t, enum lifeline_event_kind kind,
                                                                uint64_t object, int64_t count, int64_t change,
                                                                call_site at) {
  uint32_t slot = lifeline_object_slot(object);
  cached_object *known = &t->objects[slot];
  uint64_t both = 1ull << 32 | 1;
  if (!event_may_be_quiet(t) || (size_t)(t->limit - t->cursor) < 64 || known->address != object ||
      known->counts != (uint64_t)(count - change) * both || (count == 0 && change < 0))
    return false;
  tip *old = t->stack.tip, *now = backtrace_expected(&t->stack, at);
  if (!now || t->predictions[lifeline_prediction_slot(old->context, t->last_kind)].version != now->foretold) {
    event_write_counted(t, kind, object, count, change, at);
    return true;
  }
  t->stack.recognized++;
  uint8_t *begin = t->cursor;
  // Fresh lines of the chunk are cold, and the next locked instruction would wait for the stores to them.
  __builtin_prefetch(begin + 1024, 1);
  bool same = object == t->last_object;
  begin[1] = same ? 0 : (uint8_t)slot;
  known->counts = (uint64_t)count * both;
  t->last_object = object;
  t->last_kind = kind;
  t->quiet--;
  t->events++;
  t->stack.tip = now;
  t->stack.kept = now->kept;
  t->cursor = begin + 2 - same;
  __atomic_store_n(begin, (uint8_t)(kind | (same ? LIFELINE_EVENT_SAME_OBJECT : 0)), __ATOMIC_RELEASE);  // the commit
  return true;
}

/// Puts the fields of an allocation or a free at depth "lives", except its backtrace, where the chunk has room for
/// them; returns the end.
static inline __attribute__((always_inline)) uint8_t *event_put_life(thread_state *t, enum lifeline_event_kind kind,
                                                                     uint64_t object, uint64_t class, uint64_t size,
                                                                     uint8_t *tag) {
  uint8_t *p = t->cursor + 1;
  __builtin_prefetch(t->cursor + 1024, 1);  // as event_quickly does
  *tag = (uint8_t)kind;
  if (__builtin_expect(!event_may_be_quiet(t), 0)) {
    *tag |= LIFELINE_EVENT_TIME;
    p = event_put_time(t, p);
  } else {
    t->quiet--;
  }
  uint32_t slot = lifeline_object_slot(object);
  cached_object *known = &t->objects[slot];
  if (object == t->last_object) *tag |= LIFELINE_EVENT_SAME_OBJECT;
  else p = put_object(t, p, object, slot, known->address == object);
  known->address = object;
  known->counts = 0;
  t->last_object = object;
  return kind == LIFELINE_EVENT_allocate ? put_varint(put_varint(p, class), size) : p;
}

/// Completes such an event.
static inline __attribute__((always_inline)) void event_commit_life(thread_state *t, enum lifeline_event_kind kind,
                                                                    uint8_t tag, uint8_t *end) {
  uint8_t *begin = t->cursor;
  t->last_kind = kind;
  t->events++;
  t->cursor = end;
  __atomic_store_n(begin, tag, __ATOMIC_RELEASE);  // the commit
}
