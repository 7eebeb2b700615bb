#include "event.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "options.h"

enum { UNTIMED_LIMIT = 16 };

static inline uint8_t *put_varint(uint8_t *p, uint64_t value) {
  while (value >= 0x80) {
    *p++ = (uint8_t)value | 0x80;
    value >>= 7;
  }
  *p++ = (uint8_t)value;
  return p;
}

static inline uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }

void event_flush(thread_state *t) {
  if (!t->chunk) return;
  // After a longjmp out of a hook `cursor` is `limit`: the length is then found by the reader.
  uint8_t *chunk = t->chunk;
  t->chunk = NULL;
  if (t->cursor < t->limit) trace_file_seal(chunk, (uint32_t)(t->cursor - chunk), t->events, t->last_clock);
  t->cursor = t->limit = NULL;
}

static bool open_chunk(thread_state *t) {
  event_flush(t);
  t->chunk = trace_file_chunk(LIFELINE_EVENT_CHUNK, t->stream, t->sequence, t->number);
  if (!t->chunk) { t->ready = 0; return false; }
  t->sequence++;
  t->cursor = t->chunk + LIFELINE_CHUNK_HEADER_SIZE;
  t->limit = t->chunk + LIFELINE_DEFAULT_CHUNK_SIZE;
  t->last_clock = ((lifeline_chunk_header *)t->chunk)->first_clock;
  t->last_object = t->last_site = 0;
  t->untimed = UNTIMED_LIMIT;
  t->events = t->sites = 0;
  t->chunk_number++;
  t->stack_known = false;
  memset(t->objects, 0, sizeof t->objects);
  return true;
}

// A system call may fail; errno is the program's.
static bool begin_chunk(thread_state *t) {
  int saved = errno;
  bool good = open_chunk(t);
  errno = saved;
  return good;
}

static uint8_t *put_site(thread_state *t, uint8_t *p, uint64_t word) {
  uint32_t slot = (uint32_t)(word * 0x9E3779B97F4A7C15ull >> 51) & (SITE_SLOTS - 1);
  if (t->site_table[slot].word == word && t->site_table[slot].chunk == t->chunk_number)
    return put_varint(p, t->site_table[slot].id);
  *p++ = 0;
  p = put_varint(p, zigzag((int64_t)(word - t->last_site)));
  t->last_site = word;
  t->site_table[slot].word = word;
  t->site_table[slot].chunk = t->chunk_number;
  t->site_table[slot].id = ++t->sites;
  return p;
}

static uint8_t *put_backtrace(thread_state *t, uint8_t *p, uint32_t pops, uint32_t kept) {
  uint32_t pushes = t->stack.depth - kept;
  *p++ = (uint8_t)((pops < 15 ? pops : 15) << 4 | (pushes < 15 ? pushes : 15));
  if (pops >= 15) p = put_varint(p, pops);
  if (pushes >= 15) p = put_varint(p, pushes);
  for (uint32_t i = kept; i < t->stack.depth; i++) p = put_site(t, p, t->stack.frames[i].word);
  return p;
}

static inline uint8_t *put_object(thread_state *t, uint8_t *p, uint64_t object, uint32_t slot, bool cached) {
  if (cached) {
    *p++ = (uint8_t)slot;
    return p;
  }
  uint64_t v = zigzag((int64_t)(object - t->last_object) / 8);
  *p++ = (uint8_t)(0x80 | (v & 63) | (v > 63 ? 0x40 : 0));
  return v > 63 ? put_varint(p, v >> 6) : p;
}

void event_write(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                 call_site at, const uint64_t *arguments, uint32_t argument_count) {
  uint32_t limit = the_options.frames;
  backtrace_change changed = backtrace_update(&t->stack, at, limit);
  // At most 64 bytes of fields and 11 of each site.
  size_t need = 64 + 16 * (size_t)(t->stack.depth - changed.kept);
  if (__builtin_expect((size_t)(t->limit - t->cursor) < need || !t->chunk, 0)) {
    backtrace_trim(&t->stack, limit);
    if (!begin_chunk(t)) return;
  }
  uint8_t *begin = t->cursor, *p = begin + 1;
  uint8_t tag = (uint8_t)kind;
  if (kind >= LIFELINE_EVENT_EXTENDED) {
    tag = LIFELINE_EVENT_EXTENDED;
    *p++ = (uint8_t)kind;
  }
  uint32_t slot = lifeline_object_slot(object);
  bool cached = t->objects[slot].address == object;
  bool same = object == t->last_object;
  bool has_count = kind == LIFELINE_EVENT_retain || kind == LIFELINE_EVENT_release || kind == LIFELINE_EVENT_retainN ||
                   kind == LIFELINE_EVENT_releaseN || kind == LIFELINE_EVENT_tryRetain || kind == LIFELINE_EVENT_weakLoad ||
                   kind == LIFELINE_EVENT_unownedRetainStrong || kind == LIFELINE_EVENT_unownedRetainStrongAndRelease;
  // An event without a time is ordered by its neighbours. That is exact for one object as long as nobody
  // else touched it since this thread last did, which the count shows.
  bool quiet = has_count && cached && count != EVENT_NO_COUNT && (int64_t)t->objects[slot].true_count + change == count;
  if (!quiet || ++t->untimed >= UNTIMED_LIMIT || the_options.exact_time) {
    uint64_t now = clock_ticks();
    // A thread that moves to another core may see an earlier clock; time does not go backwards in a stream.
    if (now < t->last_clock) now = t->last_clock;
    tag |= LIFELINE_EVENT_TIME;
    p = put_varint(p, now - t->last_clock);
    t->last_clock = now;
    t->untimed = 0;
  }
  if (same) tag |= LIFELINE_EVENT_SAME_OBJECT;
  else p = put_object(t, p, object, slot, cached);
  uint64_t predicted = cached ? t->objects[slot].count : 0;
  if (has_count) {
    predicted += (uint64_t)change;
    uint64_t written = count == EVENT_NO_COUNT ? 0 : (uint64_t)count + 1;
    if (written != predicted + 1) {
      tag |= LIFELINE_EVENT_COUNT;
      p = put_varint(p, written);
      predicted = written ? written - 1 : 0;
    }
  }
  t->objects[slot].address = object;
  t->objects[slot].count = predicted;
  t->objects[slot].true_count = kind == LIFELINE_EVENT_allocate ? 1 : predicted;
  t->last_object = object;
  for (uint32_t i = 0; i < argument_count; i++) p = put_varint(p, arguments[i]);
  if (!t->stack_known || changed.pops || changed.kept != t->stack.depth) {
    tag |= LIFELINE_EVENT_BACKTRACE;
    if (t->stack_known) p = put_backtrace(t, p, changed.pops, changed.kept);
    else p = put_backtrace(t, p, 0, 0);
    t->stack_known = true;
  }
  t->events++;
  t->cursor = p;
  __atomic_store_n(begin, tag, __ATOMIC_RELEASE);  // the commit
}

void event_thread(thread_state *t) {
  if (!t->chunk || (size_t)(t->limit - t->cursor) < 64) {
    if (!begin_chunk(t)) return;
  }
  uint8_t *begin = t->cursor, *p = begin + 1;
  *p++ = LIFELINE_EVENT_thread;
  uint64_t now = clock_ticks();
  if (now < t->last_clock) now = t->last_clock;
  p = put_varint(p, now - t->last_clock);
  t->last_clock = now;
  p = put_varint(p, t->number);
  t->stack.depth = 0;
  t->stack_known = true;
  t->events++;
  t->cursor = p;
  __atomic_store_n(begin, LIFELINE_EVENT_EXTENDED | LIFELINE_EVENT_TIME, __ATOMIC_RELEASE);
}
