#include "Detection/watch.h"

#include <sched.h>
#include <stdbool.h>

#include "Detection/zombie.h"
#include "lifeline_probe.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Process/lock.h"
#include "Process/memory.h"
#include "Process/process.h"

enum { SLOTS = 1 << 16, LIMIT = SLOTS * 3 / 4, MOVING = 1 /* no address of an object */ };

// A hash table with linear probing. A watched object's entry is removed when the object ends, so a missing entry, or
// one with another serial number, means that the object is gone, even if its address is in use again.
static struct watched {
  uint64_t object, serial;
} *table;
static uint64_t next_serial;
static uint64_t ended_serial;  // the last one of earlier recordings, about which nothing is known
// Odd while entries are moved: readers without the lock read again if it changed meanwhile.
static uint32_t version;
uint32_t watch_count;

static void take_lock(void) {
  lock_take(LOCK_WATCH);
  __atomic_store_n(&version, version + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void drop_lock(void) {
  __atomic_store_n(&version, version + 1, __ATOMIC_RELEASE);
  lock_drop(LOCK_WATCH);
}

static uint32_t home(uint64_t object) { return (uint32_t)(object * 0x9E3779B97F4A7C15ull >> 48) & (SLOTS - 1); }

static struct watched *find(uint64_t object) {
  uint32_t slot = home(object);
  while (table[slot].object && table[slot].object != object) slot = (slot + 1) & (SLOTS - 1);
  return &table[slot];
}

/// The serial number of a watched object, 0 if it is not watched; without the lock.
static uint64_t serial_of(uint64_t object) {
  for (uint32_t tries = 0; tries < 64; tries++) {
    uint32_t before = __atomic_load_n(&version, __ATOMIC_ACQUIRE);
    if (!(before & 1)) {
      uint64_t serial = 0, here = 1;
      // Entries that are being moved may form a cycle: the search ends after the whole table.
      for (uint32_t slot = home(object), count = 0; here && count < SLOTS; slot = (slot + 1) & (SLOTS - 1), count++) {
        here = __atomic_load_n(&table[slot].object, __ATOMIC_RELAXED);
        if (here != object) continue;
        serial = __atomic_load_n(&table[slot].serial, __ATOMIC_RELAXED);
        break;
      }
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (__atomic_load_n(&version, __ATOMIC_RELAXED) == before) return serial;
    }
    sched_yield();
  }
  take_lock();
  uint64_t serial = find(object)->serial;
  drop_lock();
  return serial;
}

/// An entry is void while it is written.
static void put(struct watched *entry, struct watched value) {
  __atomic_store_n(&entry->object, MOVING, __ATOMIC_RELEASE);
  __atomic_store_n(&entry->serial, value.serial, __ATOMIC_RELEASE);
  __atomic_store_n(&entry->object, value.object, __ATOMIC_RELEASE);
}

/// Removes an entry and moves later ones that would no longer be found.
static void take_out(uint32_t hole) {
  for (uint32_t slot = (hole + 1) & (SLOTS - 1); table[slot].object; slot = (slot + 1) & (SLOTS - 1)) {
    uint32_t wanted = home(table[slot].object);
    if (((slot - wanted) & (SLOTS - 1)) < ((slot - hole) & (SLOTS - 1))) continue;
    put(&table[hole], table[slot]);
    hole = slot;
  }
  put(&table[hole], (struct watched){0, 0});
}

// A thread may have held the lock when this process was forked. Then entries may be there twice, and one of
// them be void.
void watch_begin_child(void) {
  if (!(version & 1)) return;
  struct watched *old = table;
  table = memory_pages(SLOTS * sizeof *table, false);
  watch_count = 0;
  for (uint32_t i = 0; table && i < SLOTS; i++) {
    if (old[i].object <= MOVING) continue;
    struct watched *entry = find(old[i].object);
    if (!entry->object) watch_count++;
    *entry = old[i];
  }
  version++;
}

void watch_end(void) {
  take_lock();
  for (uint32_t i = 0; table && i < SLOTS; i++)
    if (table[i].object) put(&table[i], (struct watched){0, 0});
  watch_count = 0;
  ended_serial = next_serial;
  drop_lock();
}

void watch_ended(uint64_t object) {
  take_lock();
  struct watched *entry = find(object);
  if (entry->object) {
    take_out((uint32_t)(entry - table));
    __atomic_fetch_sub(&watch_count, 1, __ATOMIC_RELAXED);
  }
  drop_lock();
}

__attribute__((visibility("default"))) uint64_t lifeline_watch(const void *pointer) {
  if (!process_recording() || (intptr_t)pointer <= 0) return 0;
  heap_object *object = object_at(pointer);
  // The end of an object whose class is not recorded is not seen; a zombie's was.
  if (zombie_is(object->metadata) || !class_of(object->metadata)->id || !object_counts(object)) return 0;
  uint64_t serial = __atomic_load_n(&table, __ATOMIC_ACQUIRE) ? serial_of((uint64_t)object) : 0;
  if (serial) return serial;
  take_lock();
  if (!table) __atomic_store_n(&table, memory_pages(SLOTS * sizeof *table, false), __ATOMIC_RELEASE);
  if (table) {
    struct watched *entry = find((uint64_t)object);
    if (!entry->object && watch_count < LIMIT) {
      put(entry, (struct watched){(uint64_t)object, ++next_serial});
      __atomic_fetch_add(&watch_count, 1, __ATOMIC_RELAXED);
    }
    serial = entry->serial;
  }
  drop_lock();
  return serial;
}

__attribute__((visibility("default"))) bool lifeline_is_gone(const void *pointer, uint64_t watch) {
  return watch > ended_serial && process_recording() && serial_of((uint64_t)object_at(pointer)) != watch;
}
