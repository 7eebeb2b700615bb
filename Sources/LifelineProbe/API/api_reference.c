// Events of the tracked references of the library Lifeline.
#include <errno.h>
#include <stdio.h>

#include "Detection/finding.h"
#include "Detection/zombie.h"
#include "lifeline_probe.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Process/lock.h"
#include "Process/memory.h"
#include "Recording/allocation_tag.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "TraceFile/record.h"

#define EXPORTED __attribute__((visibility("default")))

enum { SLOTS = 4096, TRIES = 64 };

// Declarations that have a string already. An entry is complete when its id is there, and stays, so it is found without
// a lock. A forked child has a trace of its own, so it sees this page empty.
static struct known {
  lifeline_declaration where;
  uint32_t id;
} *table;

static uint32_t describe(const lifeline_declaration *where) {
  char text[1024];
  snprintf(text, sizeof text, "%.400s (%.400s:%llu)", where->function, where->file, (unsigned long long)where->line);
  return record_new_string(text);
}

static struct known *place(struct known *in, const lifeline_declaration *where, uint32_t tries) {
  uint64_t hash = ((uint64_t)where->file ^ where->line << 20 ^ (uint64_t)where->function << 1) * 0x9E3779B97F4A7C15ull;
  return &in[((hash >> 48) + tries) & (SLOTS - 1)];
}

/// The id of a declaration, or 0; `end` becomes the number of entries looked at.
static uint32_t find(struct known *in, const lifeline_declaration *where, uint32_t *end) {
  for (*end = 0; *end < TRIES; ++*end) {
    struct known *here = place(in, where, *end);
    uint32_t id = __atomic_load_n(&here->id, __ATOMIC_ACQUIRE);
    if (!id) return 0;
    if (here->where.file == where->file && here->where.line == where->line && here->where.function == where->function)
      return id;
  }
  return 0;
}

static uint32_t declaration_id(const lifeline_declaration *where) {
  struct known *known = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  uint32_t end, id = known ? find(known, where, &end) : 0;
  if (id) return id;
  // Without a table, or with a full one, each use costs a string, but the name is never wrong.
  lock_take(LOCK_DECLARATIONS);
  if (!table) __atomic_store_n(&table, memory_pages(SLOTS * sizeof *table, true), __ATOMIC_RELEASE);
  if (table) id = find(table, where, &end);
  if (!id) {
    id = describe(where);
    if (table && end < TRIES) {
      struct known *here = place(table, where, end);
      here->where = *where;
      __atomic_store_n(&here->id, id, __ATOMIC_RELEASE);
    }
  }
  lock_drop(LOCK_DECLARATIONS);
  return id;
}

/// Whether the address is, or was, an object whose life is recorded.
static bool is_recorded(const void *pointer) {
  return (intptr_t)pointer > 4096 && zombie_or_sampled(pointer) && class_of(object_at(pointer)->metadata)->id != 0;
}

EXPORTED void lifeline_reference(
    const uint64_t *at, const lifeline_declaration *where, const void *object, uint32_t what, const void *reference) {
  int saved = errno;
  thread_state *t = is_recorded(object) ? thread_enter(call_site_slot(at)) : NULL;
  if (t) {
    uint64_t arguments[3] = {what, declaration_id(where), (uint64_t)reference};
    event_write(t, LIFELINE_EVENT_reference, (uint64_t)object_at(object), EVENT_NO_COUNT, 0, at, arguments, 3);
    thread_leave(t);
  }
  errno = saved;
}

EXPORTED void lifeline_lost(const lifeline_declaration *where, const void *pointer, uint32_t what,
                            const void *reference) {
  int saved = errno;
  call_site at = CALL_SITE();
  heap_object *object = object_at(pointer);
  // If another object were at the address by now, the event would be attributed to that object.
  uint64_t metadata;
  if (!memory_read(&object->metadata, &metadata, sizeof metadata)) metadata = 0;
  bool is_reused = metadata && !zombie_is(metadata) && zombie_wanted();
  uint32_t tag = allocation_tag();
  thread_state *t = is_reused ? NULL : thread_enter(call_site_slot(at));
  if (t) {
    uint64_t use[3] = {LIFELINE_ACCESS_message, 0, 0};
    event_write(t, LIFELINE_EVENT_useAfterFree, (uint64_t)object, EVENT_NO_COUNT, 0, at, use, 3);
    allocation_tag_write(t, (uint64_t)object, tag, at);
    uint64_t lost[3] = {LIFELINE_REFERENCE_lost | what, declaration_id(where), (uint64_t)reference};
    event_write(t, LIFELINE_EVENT_reference, (uint64_t)object, EVENT_NO_COUNT, 0, at, lost, 3);
    thread_leave(t);
  }
  finding_announce("use after free", LIFELINE_ACCESS_message, metadata ? class_of(metadata) : NULL, (uint64_t)object,
                   NULL);
  errno = saved;
}
