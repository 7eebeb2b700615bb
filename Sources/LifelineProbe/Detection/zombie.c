#define _GNU_SOURCE
#include "Detection/zombie.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "Detection/finding.h"
#include "Detection/quarantine.h"
#include "Detection/repeated_call.h"
#include "Detection/sender.h"
#include "Detection/zombie_thunk.h"
#include "lifeline_format.h"
#include "Objects/class.h"
#include "Objects/class_name.h"
#include "Objects/object.h"
#include "Process/aside.h"
#include "Process/lock.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Recording/allocation_tag.h"
#include "Recording/event.h"
#include "Recording/older.h"
#include "Recording/thread.h"
#include "Unwinding/image.h"

uint64_t zombie_arena = ZOMBIE_NOWHERE;

// A zombie's metadata is a copy of its class's, so that whatever the runtime reads there is still true: the
// size when the last unowned reference goes, the descriptor in a cast. Only what can be called is replaced.
//
//   ┌──────────────────────┬──────────────────────────────────────────┐
//   │ class_info *original │ copy of the whole metadata object        │
//   └──────────────────────┴──────────────────────────────────────────┘
//                            negative part │ address point …
static uint64_t arena_used;

static struct {
  uint64_t metadata, zombie;
} zombies[CLASS_SLOTS];  // by class_hash of the metadata, linear probing

/// A slot of a zombie's metadata was called: the function to call instead, or 0 when it was reported and shall return
/// zero.
static uint64_t called(uint64_t self, uint64_t offset, call_site at) {
  const class_info *c = NULL;
  if (zombie_is(self)) {
    c = class_of(self);  // a class method: the metadata is alive, whatever became of the object
    return c->zombie_of ? *(uint64_t *)(c->zombie_of + offset) : 0;
  }
  uint64_t metadata = 0;
  self = (uint64_t)object_at((void *)self);
  if (memory_read((void *)self, &metadata, 8) && zombie_is(metadata)) c = class_of(metadata);
  uint64_t method = c && c->zombie_of ? *(uint64_t *)(c->zombie_of + (offset ? offset : (uint64_t)-16)) : 0;
  zombie_report(self, offset ? LIFELINE_ACCESS_message : LIFELINE_ACCESS_release, method, 0, at);
  return 0;
}

bool zombie_has_room(void) {
  enum { SHARE = 8 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return limit.rlim_cur / SHARE > ZOMBIE_ARENA + the_options.quarantine;
}

bool zombie_prepare(void) {
  if (zombie_arena != ZOMBIE_NOWHERE) return true;
  void *arena = mmap(NULL, ZOMBIE_ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED || !quarantine_prepare() || !zombie_thunk_prepare(called)) return false;
  zombie_arena = (uint64_t)arena;
  memory_note(arena, ZOMBIE_ARENA);
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
    // A closure's or a box's has two words behind its kind (swift/ABI/Metadata.h); of others only the kind is certain.
    *after = kind == HEAP_LOCAL_VARIABLE || kind == HEAP_GENERIC_LOCAL_VARIABLE ? 24 : 8;
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
  uint64_t offset = __atomic_fetch_add(&arena_used, size, __ATOMIC_RELAXED);
  uint64_t begin = zombie_arena + offset, copy = begin + 8 + before;
  if (offset + size > ZOMBIE_ARENA || (copy & 7)) return 0;
  memcpy((void *)(copy - before), (void *)(metadata - before), before + after);
  bool is_class = class_is_class(*(uint64_t *)metadata);
  *(uint64_t *)(copy - 16) = zombie_thunk(0);
  for (uint32_t offset = 48; is_class && offset + 8 <= after && offset / 8 < ZOMBIE_THUNKS; offset += 8)
    if (is_code(*(uint64_t *)(copy + offset))) *(uint64_t *)(copy + offset) = zombie_thunk(offset);
  return class_add_zombie(copy, original) ? copy : 0;
}

static void make_aside(void *metadata) { *(uint64_t *)metadata = make(*(uint64_t *)metadata); }

bool zombie_mark(uint64_t object) {
  uint64_t metadata = *(uint64_t *)object;
  if (zombie_is(metadata)) return true;
  uint32_t slot = class_hash(metadata);
  for (;; slot = (slot + 1) & (CLASS_SLOTS - 1)) {
    uint64_t here = __atomic_load_n(&zombies[slot].metadata, __ATOMIC_ACQUIRE);
    if (here == metadata) break;
    if (here) continue;
    uint64_t made = metadata;
    aside(make_aside, &made);  // two threads may make two; both work
    if (!made) return false;
    lock_take(LOCK_ZOMBIES);
    while (zombies[slot].metadata && zombies[slot].metadata != metadata) slot = (slot + 1) & (CLASS_SLOTS - 1);
    if (!zombies[slot].metadata) {
      zombies[slot].zombie = made;
      __atomic_store_n(&zombies[slot].metadata, metadata, __ATOMIC_RELEASE);
    }
    lock_drop(LOCK_ZOMBIES);
    break;
  }
  *(uint64_t *)object = zombies[slot].zombie;
  return true;
}

void zombie_forget(uint64_t first, uint64_t end) {
  enum { NO_METADATA = 1 };
  lock_take(LOCK_ZOMBIES);
  for (uint32_t slot = 0; slot < CLASS_SLOTS; slot++)
    if (zombies[slot].metadata >= first && zombies[slot].metadata < end)
      __atomic_store_n(&zombies[slot].metadata, NO_METADATA, __ATOMIC_RELEASE);
  lock_drop(LOCK_ZOMBIES);
}

void zombie_report(uint64_t object, uint32_t access, uint64_t detail, uint64_t reference, call_site at) {
  uint32_t tag = allocation_tag();
  thread_state *t = thread_enter(call_site_slot(at));
  bool is_reported = t && t->faulted == object && access != LIFELINE_ACCESS_message;
  if (t) t->faulted = 0;
  if (is_reported) thread_leave(t);
  else if (t) {
    uint64_t arguments[3] = {access, detail, access == LIFELINE_ACCESS_read ? reference : 0};
    if (access != LIFELINE_ACCESS_read) sender_find_here(object, arguments);
    memory_is_returning();  // later allocations there must have a later time than this
    older_name_freed(object, class_of(*(uint64_t *)object)->id);
    event_write(t, LIFELINE_EVENT_useAfterFree, object, EVENT_NO_COUNT, 0, at, arguments, 3);
    allocation_tag_write(t, object, tag, at);
    thread_leave(t);
  }
  // Unoptimized Unmanaged.release() retains the object first. Its releases say more than the page, which saw that.
  if (is_reported && access == LIFELINE_ACCESS_retain && call_precedes_repeated(at)) return;
  finding_announce("use after free", access, class_of(*(uint64_t *)object), object, at);
}
