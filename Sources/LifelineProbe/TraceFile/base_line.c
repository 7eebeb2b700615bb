#include "TraceFile/base_line.h"

#include <string.h>

#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"

enum {
  CONTENTS = LIFELINE_DEFAULT_CHUNK_SIZE - LIFELINE_CHUNK_HEADER_SIZE,
  OBJECTS_EACH = CONTENTS / sizeof(lifeline_base_object),
  NODES_EACH = CONTENTS / sizeof(lifeline_base_node),
  TOTALS_EACH = CONTENTS / sizeof(lifeline_base_totals),
  FINDINGS_EACH = CONTENTS / sizeof(lifeline_base_finding),
  OBJECT_CHUNKS = 4096,  // 16 million objects
  NODE_CHUNKS = 64,      // a million nodes
  TOTAL_CHUNKS = 2,
  FREED_KEPT = 1 << 20,  // with zombies: freed objects whose class and backtraces a use after free needs
  FIRST_SWEEP = 8192,
  SMALLEST_TABLE = 1024,
};

/// All of this and the tables are in pages that read as zero in a forked child: its trace has a base line of its own.
static struct base_line {
  uint8_t *objects[OBJECT_CHUNKS], *nodes[NODE_CHUNKS], *totals[TOTAL_CHUNKS], *findings;
  uint32_t object_chunks, node_chunks;
  uint32_t objects_used, free;  // entries given out so far; number + 1 of the first that is free again
  uint32_t free_count;
  uint32_t nodes_used, findings_used;
  uint32_t sweep_at;  // number of entries in use
  uint64_t clock;     // no event before it comes
  uint32_t refused, patience;  // objects without room since the last sweep, and how many there may be before the next
  bool is_full;       // there are no more chunks
  uint32_t dense_until;  // with fewer entries than this, too few are freed ones
  uint32_t object_mask, node_mask;  // of the parts of the tables that are in use
  uint32_t highest_class;
  uint32_t generation;
} *base;

static uint32_t limit, object_capacity, node_capacity;
static uint64_t *object_table;  // address >> 3 in the high half, the entry's number + 1 in the low half
static uint32_t *node_table;    // the node's number

static uint32_t power_of_two(uint32_t at_least) {
  uint32_t power = SMALLEST_TABLE;
  while (power < at_least) power *= 2;
  return power;
}

static base_line_claim *claim;

bool base_line_prepare(uint32_t chunks, base_line_claim *function) {
  limit = chunks;
  claim = function;
  object_capacity = power_of_two(2 * (chunks < OBJECT_CHUNKS ? chunks : OBJECT_CHUNKS) * OBJECTS_EACH);
  node_capacity = power_of_two(2 * (chunks < NODE_CHUNKS ? chunks : NODE_CHUNKS) * NODES_EACH);
  base = memory_pages(sizeof *base, true);
  // The kernel allocates memory only for the pages in use.
  object_table = memory_pages(object_capacity * sizeof *object_table, true);
  node_table = memory_pages(node_capacity * sizeof *node_table, true);
  return base && object_table && node_table;
}

void base_line_limit(uint32_t chunks) {
  if (chunks < limit) limit = chunks;
}

/// Another chunk for one sort of the base line's entries, or NULL.
static uint8_t *one_more(uint32_t sort, uint32_t count, uint32_t most, bool is_needed) {
  if (count == most || base->object_chunks + base->node_chunks >= limit) return NULL;
  uint8_t *chunk = claim(sort, count, is_needed);
  if (!chunk && is_needed) base->is_full = true;
  return chunk;
}

/// The number of objects for which there is room.
static uint32_t capacity(void) {
  uint32_t chunks = base->object_chunks;
  if (!base->is_full && base->object_chunks + base->node_chunks < limit) chunks = limit - base->node_chunks;
  return (chunks < OBJECT_CHUNKS ? chunks : OBJECT_CHUNKS) * OBJECTS_EACH;
}

bool base_line_begin(void) {
  base->objects[0] = claim(LIFELINE_BASE_OBJECTS, 0, true);
  base->nodes[0] = base->objects[0] ? claim(LIFELINE_BASE_NODES, 0, true) : NULL;
  base->totals[0] = base->nodes[0] ? claim(LIFELINE_BASE_TOTALS, 0, true) : NULL;
  base->object_chunks = base->node_chunks = 1;
  return base->totals[0] != NULL;
}

static void *item(uint8_t *chunk, uint32_t index, size_t size) {
  return chunk + LIFELINE_CHUNK_HEADER_SIZE + index * size;
}

static lifeline_base_object *object_at_number(uint32_t number) {
  return item(base->objects[number / OBJECTS_EACH], number % OBJECTS_EACH, sizeof(lifeline_base_object));
}

static lifeline_base_node *node_at_number(uint32_t number) {
  return item(base->nodes[(number - 1) / NODES_EACH], (number - 1) % NODES_EACH, sizeof(lifeline_base_node));
}

static inline uint32_t object_home(uint64_t address) {
  return (uint32_t)((address >> 4) * 0x9E3779B97F4A7C15ull >> 32);
}

static void put_object(uint32_t number, uint64_t address) {
  uint32_t place = object_home(address) & base->object_mask;
  while (object_table[place]) place = (place + 1) & base->object_mask;
  object_table[place] = address >> 3 << 32 | (number + 1);
}

/// Rebuilds the table from the entries, with room for `count` objects.
static void build_object_table(uint32_t count) {
  uint32_t capacity = power_of_two(2 * count);
  if (capacity > object_capacity) capacity = object_capacity;
  if (capacity <= base->object_mask) capacity = base->object_mask + 1;
  memset(object_table, 0, capacity * sizeof *object_table);
  base->object_mask = capacity - 1;
  for (uint32_t number = 0; number < base->objects_used; number++)
    if (object_at_number(number)->address) put_object(number, object_at_number(number)->address);
}

void base_line_fetch(uint64_t address) {
  __builtin_prefetch(object_table + (object_home(address) & base->object_mask));
}

void base_line_expect(uint64_t address) {
  uint64_t found = base->object_mask ? object_table[object_home(address) & base->object_mask] : 0;
  if (found) __builtin_prefetch(object_at_number((uint32_t)found - 1), 1);
}

lifeline_base_object *base_line_find(uint64_t address) {
  if (!base->object_mask) return NULL;
  uint64_t found;
  for (uint32_t place = object_home(address) & base->object_mask; (found = object_table[place]);
       place = (place + 1) & base->object_mask)
    if (found >> 32 == (uint32_t)(address >> 3)) {
      lifeline_base_object *object = object_at_number((uint32_t)found - 1);
      if (object->address == address) return object;
    }
  return NULL;
}

static void raise_clock(uint64_t *clock, uint64_t value) {
  if (value > *clock) __atomic_store_n(clock, value, __ATOMIC_RELEASE);
}

void base_line_forget(uint64_t clock) { raise_clock(&the_process->header->forgotten, clock); }

bool base_line_forgot_end(uint64_t clock) { return clock < the_process->header->forgotten; }

bool base_line_forgot_object(uint64_t clock) {
  return clock < the_process->header->evicted || base_line_forgot_end(clock);
}

/// An event clock before which about `count` objects were freed.
static uint64_t clock_before(uint32_t count) {
  enum { STEP = 61 };  // one entry in this many is examined
  uint64_t low = 0, high = the_process->header->horizon;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    uint32_t before = 0;
    for (uint32_t number = 0; number < base->objects_used; number += STEP) {
      lifeline_base_object *object = object_at_number(number);
      before += object->address && object->state == LIFELINE_BASE_FREED && object->changed < middle;
    }
    if (before * STEP < count) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// When to sweep again with `kept` entries: when there are twice as many, or before there is no more room. A sweep
/// reads all entries, so some must have been added since.
static uint32_t next_sweep(uint32_t kept) {
  uint32_t next = 2 * kept > FIRST_SWEEP ? 2 * kept : FIRST_SWEEP, room = capacity(), nearly = room - room / 8;
  if (next > nearly) next = nearly;
  uint32_t least = kept + kept / 16;
  return next > least ? next : least + 1;
}

/// Forgets freed objects, so that half of what live ones leave of the room is free.
static void sweep(uint32_t room) {
  uint32_t in_use = base->objects_used - base->free_count;
  uint64_t clock = base->clock;
  uint32_t freed = 0, kept = 0;
  for (uint32_t number = 0; number < base->objects_used; number++) {
    lifeline_base_object *object = object_at_number(number);
    freed += object->address && object->state == LIFELINE_BASE_FREED;
  }
  uint32_t most = room > in_use - freed ? (room - (in_use - freed)) / 2 : 0;
  if (!the_options.zombies) most = 0;
  else if (most > FREED_KEPT) most = FREED_KEPT;
  bool is_crowded = in_use >= room - room / 8;
  uint64_t evicted = 0;
  if (freed <= most) clock = 0;
  else if (most || is_crowded) {
    uint64_t oldest = clock_before(freed - most);
    if (oldest < clock) clock = oldest;
    else if (is_crowded) evicted = oldest;
  }
  base->free = base->free_count = base->refused = 0;
  for (uint32_t number = base->objects_used; number-- > 0;) {
    lifeline_base_object *object = object_at_number(number);
    if (object->address && object->state == LIFELINE_BASE_FREED) {
      // An idle thread's chunk may begin long ago. Without room, what it has of objects that ended is ignored, except
      // where it may have an allocation.
      bool is_known = (int32_t)object->balance <= 0 && object->changed < evicted;
      if (is_known) raise_clock(&the_process->header->evicted, object->changed);
      if (is_known || object->changed < clock) __atomic_store_n(&object->address, 0, __ATOMIC_RELEASE);
    }
    if (object->address) kept++;
    else {
      object->balance = base->free;
      base->free = number + 1;
      base->free_count++;
    }
  }
  build_object_table(base->objects_used);
  base->sweep_at = next_sweep(kept);
  base->patience = base->free || !is_crowded ? 0 : kept / 16;
}

void base_line_sweep(uint64_t clock) {
  base->clock = clock;
  if (base->objects_used - base->free_count >= (base->sweep_at ? base->sweep_at : next_sweep(0))) sweep(capacity());
}

/// More room for objects; false when there is none. The file stays as large as requested if instead, enough freed
/// objects can be forgotten.
static bool make_room(void) {
  enum { ENOUGH = 8 /* one in this many */ };
  uint32_t count = base->object_chunks;
  uint8_t *chunk = one_more(LIFELINE_BASE_OBJECTS, count, OBJECT_CHUNKS, false);
  if (!chunk && base->objects_used >= base->dense_until) {
    sweep(count * OBJECTS_EACH);
    if (base->free_count >= base->objects_used / ENOUGH) return true;
    base->dense_until = base->objects_used + base->objects_used / ENOUGH;
  }
  if (!chunk) chunk = one_more(LIFELINE_BASE_OBJECTS, count, OBJECT_CHUNKS, true);
  if (!chunk) return false;
  base->objects[base->object_chunks++] = chunk;
  return true;
}

bool base_line_add(const lifeline_base_object *object) {
  if (!base->free && base->objects_used == base->object_chunks * OBJECTS_EACH && !make_room()) {
    if (base->refused++ < base->patience) return false;
    sweep(capacity());
    if (!base->free) return false;
  }
  uint32_t number = base->free - 1;
  if (base->free) {
    base->free = object_at_number(number)->balance;
    base->free_count--;
  } else {
    number = base->objects_used++;
  }
  lifeline_base_object *added = object_at_number(number);
  uint64_t address = object->address;
  lifeline_base_object fresh = *object;
  fresh.address = 0;
  *added = fresh;
  __atomic_store_n(&added->address, address, __ATOMIC_RELEASE);  // the commit
  if (base->objects_used * 2 > base->object_mask && base->object_mask + 1 < object_capacity)
    build_object_table(2 * base->objects_used);
  else put_object(number, address);
  return true;
}

static inline uint32_t node_home(uint32_t caller, uint64_t word) {
  uint64_t value = word * 0x9E3779B97F4A7C15ull ^ caller * 0xC2B2AE3D27D4EB4Full;
  return (uint32_t)((value ^ value >> 29) * 0xBF58476D1CE4E5B9ull >> 32);
}

static void put_node(uint32_t number, uint32_t caller, uint64_t word) {
  uint32_t place = node_home(caller, word) & base->node_mask;
  while (node_table[place]) place = (place + 1) & base->node_mask;
  node_table[place] = number;
}

static void build_node_table(uint32_t count) {
  uint32_t capacity = power_of_two(2 * count);
  if (capacity > node_capacity) capacity = node_capacity;
  memset(node_table, 0, capacity * sizeof *node_table);
  base->node_mask = capacity - 1;
  for (uint32_t number = 1; number <= base->nodes_used; number++)
    put_node(number, node_at_number(number)->caller, node_at_number(number)->word);
}

uint32_t base_line_node(uint32_t caller, uint64_t word) {
  if (!base->node_mask) build_node_table(0);
  uint32_t found;
  for (uint32_t place = node_home(caller, word) & base->node_mask; (found = node_table[place]);
       place = (place + 1) & base->node_mask) {
    lifeline_base_node *node = node_at_number(found);
    if (node->caller == caller && node->word == word) return found;
  }
  if (base->nodes_used == base->node_chunks * NODES_EACH) {
    uint8_t *chunk = one_more(LIFELINE_BASE_NODES, base->node_chunks, NODE_CHUNKS, true);
    if (!chunk) {
      process_count(LIFELINE_COUNTER_incompleteBacktraces);
      return caller;
    }
    base->nodes[base->node_chunks++] = chunk;
  }
  uint32_t number = ++base->nodes_used;
  lifeline_base_node *node = node_at_number(number);
  node->caller = caller;
  __atomic_store_n(&node->word, word, __ATOMIC_RELEASE);
  if (base->nodes_used * 2 > base->node_mask && base->node_mask + 1 < node_capacity)
    build_node_table(2 * base->nodes_used);
  else put_node(number, caller, word);
  return number;
}

/// A class's totals, counted in the side that is not in effect yet; NULL when there is no room.
static lifeline_base_totals *totals_of(uint32_t class_id) {
  uint32_t chunk = class_id / TOTALS_EACH;
  if (chunk >= TOTAL_CHUNKS) return NULL;
  for (uint32_t i = 0; i <= chunk; i++)
    if (!base->totals[i] && !(base->totals[i] = claim(LIFELINE_BASE_TOTALS, i, true))) return NULL;
  if (class_id > base->highest_class) base->highest_class = class_id;
  return item(base->totals[chunk], class_id % TOTALS_EACH, sizeof(lifeline_base_totals));
}

static inline uint32_t next_side(void) { return (base->generation + 1) & 1; }

uint64_t base_line_allocated(uint32_t class_id) {
  lifeline_base_totals *totals = totals_of(class_id);
  return totals ? ++totals->allocated[next_side()] : 0;
}

void base_line_add_finding(const lifeline_base_finding *finding) {
  if (!base->findings) base->findings = claim(LIFELINE_BASE_FINDINGS, 0, true);
  if (!base->findings || base->findings_used == FINDINGS_EACH) {
    process_count(LIFELINE_COUNTER_forgottenFindings);
    return;
  }
  lifeline_base_finding *added = item(base->findings, base->findings_used++, sizeof *added);
  lifeline_base_finding fresh = *finding;
  fresh.kind = 0;
  *added = fresh;
  __atomic_store_n(&added->kind, finding->kind, __ATOMIC_RELEASE);  // the commit
}

void base_line_commit(uint32_t slot, uint32_t events) {
  lifeline_base_totals *gone = totals_of(0);
  uint32_t next = next_side(), old = next ^ 1;
  if (gone) gone->allocated[next] += events;
  base->generation++;
  __atomic_store_n(&the_process->header->fold, (uint64_t)base->generation << 32 | (slot + 1), __ATOMIC_RELEASE);
  // The other side begins where this one is.
  for (uint32_t id = 0; gone && id <= base->highest_class; id++) {
    lifeline_base_totals *totals = item(base->totals[id / TOTALS_EACH], id % TOTALS_EACH, sizeof *totals);
    totals->allocated[old] = totals->allocated[next];
  }
}
