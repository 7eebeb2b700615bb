#define _GNU_SOURCE
#include "Detection/zombie.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "API/cause.h"
#include "Hooks/class_name.h"
#include "Recording/event.h"
#include "Detection/finding.h"
#include "lifeline_format.h"
#include "Recording/memory.h"
#include "Process/options.h"
#include "Recording/thread.h"
#include "Process/process.h"
#include "Detection/zombie_thunk.h"

uint64_t zombie_arena = ZOMBIE_NOWHERE;

// A zombie's metadata is a copy of its class's, so that whatever the runtime reads there is still true: the
// size when the last unowned reference goes, the descriptor in a cast. Only what can be called is replaced.
//
//   ┌──────────────────────┬──────────────────────────────────────────┐
//   │ class_info *original │ copy of the whole metadata object        │
//   └──────────────────────┴──────────────────────────────────────────┘
//                            negative part │ address point …
static uint64_t arena_used;
static uint32_t lock;

static void take_lock(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) sched_yield(); }
static void drop_lock(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static struct {
  uint64_t metadata, zombie;
} zombies[16384];  // by class_hash of the metadata, linear probing

static zombie_memory *ring;
enum { RING = 1 << 20 };
static uint64_t ring_head, ring_tail, ring_bytes;

bool zombie_prepare(void) {
  void *arena = mmap(NULL, ZOMBIE_ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ring = memory_pages(RING * sizeof *ring, false);
  if (arena == MAP_FAILED || !ring || !zombie_thunk_prepare()) return false;
  zombie_arena = (uint64_t)arena;
  return true;
}

static bool is_code(uint64_t address) {
  const image *in = image_at(address);
  return in && address >= in->code && address < in->code_end;
}

/// The extent of a metadata object around its address point, in bytes before and after it.
static bool extent(uint64_t metadata, uint32_t *before, uint32_t *after) {
  uint64_t kind = *(uint64_t *)metadata;
  if (!class_is_class(kind)) {
    *before = 16;
    *after = 32;
    return true;
  }
  uint32_t size = ((uint32_t *)metadata)[8], point = ((uint32_t *)metadata)[9];
  if (point < 16 || point > 4096 || size <= point || size > 1 << 20) return false;
  *before = point;
  *after = size - point;
  return true;
}

static uint64_t make(uint64_t metadata) {
  uint32_t before, after;
  const class_info *original = class_of(metadata);
  if (!original->id || !extent(metadata, &before, &after)) return 0;
  uint64_t size = (8 + before + after + 15) & ~15ull;
  if (arena_used + size > ZOMBIE_ARENA) return 0;
  uint64_t begin = zombie_arena + arena_used, copy = begin + 8 + before;
  if (copy & 7) return 0;
  memcpy((void *)(copy - before), (void *)(metadata - before), before + after);
  bool is_class = class_is_class(*(uint64_t *)metadata);
  *(uint64_t *)(copy - 16) = zombie_thunk(0);
  for (uint32_t offset = 48; is_class && offset + 8 <= after && offset / 8 < ZOMBIE_THUNKS; offset += 8)
    if (is_code(*(uint64_t *)(copy + offset))) *(uint64_t *)(copy + offset) = zombie_thunk(offset);
  if (!class_add_zombie(copy, original)) return 0;
  arena_used += size;
  return copy;
}

bool zombie_mark(uint64_t object) {
  uint64_t metadata = *(uint64_t *)object;
  if (zombie_is(metadata)) return true;
  uint32_t slot = class_hash(metadata);
  for (;; slot = (slot + 1) & (CLASS_SLOTS - 1)) {
    uint64_t here = __atomic_load_n(&zombies[slot].metadata, __ATOMIC_ACQUIRE);
    if (here == metadata) break;
    if (here) continue;
    uint64_t made = make(metadata);  // two threads may make two; both work
    if (!made) return false;
    take_lock();
    while (zombies[slot].metadata && zombies[slot].metadata != metadata) slot = (slot + 1) & (CLASS_SLOTS - 1);
    if (!zombies[slot].metadata) {
      zombies[slot].zombie = made;
      __atomic_store_n(&zombies[slot].metadata, metadata, __ATOMIC_RELEASE);
    }
    drop_lock();
    break;
  }
  *(uint64_t *)object = zombies[slot].zombie;
  return true;
}

/// Moves a thread's batch into the quarantine, oldest out first; returns how many have to leave.
static uint32_t exchange(const zombie_memory *batch, uint32_t count, zombie_memory leaving[2 * ZOMBIE_BATCH]) {
  uint32_t left = 0;
  take_lock();
  for (uint32_t i = 0; i < count; i++) {
    ring[ring_head++ % RING] = batch[i];
    ring_bytes += batch[i].size + 16;  // with malloc's own overhead
  }
  // At most two leave for one that comes, so that no single free pays for a big one.
  while (left < 2 * count && (ring_bytes > the_options.quarantine || ring_head - ring_tail >= RING - ZOMBIE_BATCH)) {
    leaving[left] = ring[ring_tail++ % RING];
    ring_bytes -= leaving[left++].size + 16;
  }
  drop_lock();
  return left;
}

// One lock for a batch, since threads that free at once would otherwise only wait for each other.
void zombie_keep(thread_state *t, zombie_memory memory, void (*release_memory)(void *, size_t, size_t)) {
  t->zombies[t->zombie_count++] = memory;
  if (t->zombie_count < ZOMBIE_BATCH) return;
  zombie_memory leaving[2 * ZOMBIE_BATCH];
  uint32_t left = exchange(t->zombies, t->zombie_count, leaving);
  t->zombie_count = 0;
  if (left && the_process->header)
    __atomic_fetch_add(&the_process->header->counters[LIFELINE_COUNTER_recycledZombies], left, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < left; i++) release_memory(leaving[i].object, leaving[i].size, leaving[i].alignment_mask);
}

void zombie_report(uint64_t object, uint32_t access, uint64_t detail, uint64_t offset, call_site at) {
  uint32_t cause = cause_number();
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t arguments[3] = {access, detail, offset};
    event_write(t, LIFELINE_EVENT_useAfterFree, object, EVENT_NO_COUNT, 0, at, arguments, 3);
    cause_write(t, object, cause, at);
    thread_leave(t);
  }
  finding_announce("use after free", access, class_of(*(uint64_t *)object), object);
}
