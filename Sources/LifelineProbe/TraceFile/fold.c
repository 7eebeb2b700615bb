#include "TraceFile/fold.h"

#include <stddef.h>
#include <string.h>

#include "Process/memory.h"
#include "Process/process.h"
#include "TraceFile/base_line.h"

enum { STACK = 8192, SITES = LIFELINE_DEFAULT_CHUNK_SIZE / 3 + 1 };

typedef struct seen_object {
  uint64_t address, count;
} seen_object;

typedef struct change {
  uint32_t pops, pushes;
  uint64_t words[LIFELINE_PREDICTED_SITES];
} change;

/// An event that may change what is known of its object.
typedef struct effect {
  uint64_t object, clock, count;
  uint32_t kind, thread, backtrace, class_id, size, number;
} effect;

enum { EFFECTS = 64 };
enum { ENDED_BEFORE = UINT32_MAX };  // the count of a freed object, which has none

/// A reader's state while it reads a chunk (lifeline_event.h).
static struct fold {
  const uint8_t *at, *end;
  uint64_t clock, object, last_site;
  uint32_t thread, depth, interned, site_count, events;
  uint32_t kind, last_kind;
  uint64_t count;  // as the format writes it: plus 1, 0 when it is not known
  uint64_t arguments[3];
  effect effects[EFFECTS];
  uint32_t effect_count;
  seen_object seen[LIFELINE_OBJECT_CACHE_SIZE];
  change changes[LIFELINE_PREDICTION_SLOTS];
  uint64_t stack[STACK + LIFELINE_PREDICTED_SITES];
  uint32_t nodes[STACK];  // of the frames up to `interned`
  uint64_t sites[SITES];
} *fold;

static const struct kind_facts {
  bool is_kind, has_object, has_count;
  uint8_t arguments;
} facts[LIFELINE_EVENT_KIND_LIMIT] = {
#define X(name, number, arguments, object, count) [number] = {true, object, count, arguments},
    LIFELINE_EVENT_KINDS(X)
#undef X
};

bool fold_prepare(void) { return (fold = memory_pages(sizeof *fold, true)) != NULL; }

static inline bool take_varint(struct fold *f, uint64_t *value) {
  uint64_t result = 0;
  for (uint32_t shift = 0; shift < 70 && f->at < f->end; shift += 7) {
    uint8_t next = *f->at++;
    result |= (uint64_t)(next & 0x7F) << (shift & 63);
    if (next < 0x80) { *value = result; return true; }
  }
  return false;
}

static inline uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

static bool take_sites(struct fold *f, uint64_t pushes) {
  for (; pushes; pushes--) {
    uint64_t reference, distance;
    if (!take_varint(f, &reference)) return false;
    if (reference == 0) {
      if (!take_varint(f, &distance) || f->site_count == SITES) return false;
      f->sites[f->site_count++] = f->last_site += unzigzag(distance);
      reference = f->site_count;
    }
    if (reference > f->site_count) return false;
    f->stack[f->depth++] = f->sites[reference - 1];
  }
  return true;
}

static void pop(struct fold *f, uint32_t pops) {
  f->depth -= pops;
  if (f->interned > f->depth) f->interned = f->depth;
}

static inline bool take_change(struct fold *f, bool is_written) {
  change *known = NULL;
  if (f->depth) {
    uint64_t next = f->depth > 1 ? f->stack[f->depth - 2] : 0;
    known =
        &f->changes[lifeline_prediction_slot(lifeline_prediction_context(f->stack[f->depth - 1], next), f->last_kind)];
  }
  if (!is_written) {
    if (!known) return true;
    if (known->pops > f->depth || known->pushes > STACK - (f->depth - known->pops)) return false;
    pop(f, known->pops);
    for (uint32_t i = 0; i < known->pushes; i++) f->stack[f->depth++] = known->words[i];
    return true;
  }
  if (f->at == f->end) return false;
  uint8_t head = *f->at++;
  uint64_t pops = head >> 4, pushes = head & 15;
  if ((pops == 15 && !take_varint(f, &pops)) || (pushes == 15 && !take_varint(f, &pushes))) return false;
  if (pops > f->depth || pushes > STACK - (f->depth - pops)) return false;
  pop(f, (uint32_t)pops);
  if (!take_sites(f, pushes)) return false;
  if (known && pushes <= LIFELINE_PREDICTED_SITES) {
    known->pops = (uint32_t)pops;
    known->pushes = (uint32_t)pushes;
    for (uint32_t i = 0; i < pushes; i++) known->words[i] = f->stack[f->depth - pushes + i];
  }
  return true;
}

/// Brings the object cache and the count up to date.
static inline void remember(struct fold *f, bool has_count, bool is_written, uint64_t written) {
  seen_object *seen = &f->seen[lifeline_object_slot(f->object)];
  if (seen->address != f->object) *seen = (seen_object){f->object, 0};
  if (!has_count) return;
  if (is_written) {
    f->count = written;
    seen->count = written ? written - 1 : 0;
    return;
  }
  switch (f->kind) {
    case LIFELINE_EVENT_retain: seen->count++; break;
    case LIFELINE_EVENT_release: seen->count--; break;
    case LIFELINE_EVENT_retainN: seen->count += f->arguments[0]; break;
    case LIFELINE_EVENT_releaseN: seen->count -= f->arguments[0]; break;
    default: break;
  }
  f->count = seen->count + 1;
}

static inline bool take_object(struct fold *f) {
  if (f->at == f->end) return false;
  uint8_t first = *f->at++;
  if (first < 0x80) {
    f->object = f->seen[first].address;
    return f->object != 0;
  }
  uint64_t value = first & 0x3F, rest;
  if (first & 0x40) {
    if (!take_varint(f, &rest)) return false;
    value |= rest << 6;
  }
  f->object += unzigzag(value) * 8;
  return f->object != 0;
}

/// The next event; false at the end of the chunk, or where it is damaged.
static bool next(struct fold *f) {
  if (f->at >= f->end || !*f->at) return false;
  uint8_t tag = *f->at++;
  f->kind = tag & LIFELINE_EVENT_KIND_MASK;
  if (f->kind == LIFELINE_EVENT_EXTENDED) {
    if (f->at == f->end) return false;
    f->kind = *f->at++;
  }
  if (f->kind >= LIFELINE_EVENT_KIND_LIMIT || !facts[f->kind].is_kind) return false;
  if (f->kind == LIFELINE_EVENT_task || f->kind == LIFELINE_EVENT_queue) {  // belongs to no event
    uint64_t number;
    return take_varint(f, &number);
  }
  struct kind_facts fact = facts[f->kind];
  uint64_t value = 0;
  if (tag & LIFELINE_EVENT_TIME) {
    if (!take_varint(f, &value)) return false;
    f->clock += value;
  }
  if (fact.has_object && !(tag & LIFELINE_EVENT_SAME_OBJECT) && !take_object(f)) return false;
  bool has_count = fact.has_count && (tag & LIFELINE_EVENT_COUNT);
  uint64_t written = 0;
  if (has_count && !take_varint(f, &written)) return false;
  for (uint32_t i = 0; i < fact.arguments; i++)
    if (!take_varint(f, &f->arguments[i])) return false;
  if (fact.has_object) remember(f, fact.has_count, has_count, written);
  if (f->kind == LIFELINE_EVENT_thread) {
    f->thread = (uint32_t)f->arguments[0];
    f->depth = f->interned = 0;
  }
  if (!take_change(f, tag & LIFELINE_EVENT_BACKTRACE)) return false;
  f->last_kind = f->kind;
  f->events++;
  return true;
}

/// The node of the current backtrace.
static uint32_t backtrace(struct fold *f, uint32_t frames) {
  if (f->depth > frames) {
    // Only the innermost frames belong to it; it begins with a mark for the rest.
    uint32_t node = base_line_node(0, LIFELINE_SITE_TRUNCATED);
    for (uint32_t i = f->depth - frames; i < f->depth; i++)
      if (f->stack[i] != LIFELINE_SITE_TRUNCATED) node = base_line_node(node, f->stack[i]);
    return node;
  }
  for (; f->interned < f->depth; f->interned++)
    f->nodes[f->interned] = base_line_node(f->interned ? f->nodes[f->interned - 1] : 0, f->stack[f->interned]);
  return f->depth ? f->nodes[f->depth - 1] : 0;
}

static void allocated(const effect *e) {
  lifeline_base_object *known = base_line_find(e->object), born = {
      .address = e->object, .birth = e->clock, .changed = e->clock, .class_id = e->class_id, .size = e->size,
      .thread = e->thread, .backtrace = e->backtrace, .count = 2, .state = LIFELINE_BASE_LIVE,
      .number = e->number, .balance = known ? known->balance : 0};
  // Otherwise its free may not be counted.
  bool is_counted = !base_line_forgot_end(e->clock);
  if (is_counted) born.balance--;
  if (known && e->clock < known->changed) {
    // Another thread's later events came before this one: they belong to the last object allocated before them.
    known->balance = born.balance;
    if (e->clock <= known->birth) return;
    // Such a free is that of the object before it.
    if (known->state == LIFELINE_BASE_FREED && known->count == ENDED_BEFORE) {
      known->state = LIFELINE_BASE_LIVE;
      known->count = 0;
    }
    known->size = born.size;
    known->thread = born.thread;
    known->number = born.number;
    known->backtrace = born.backtrace;
    known->class_id = born.class_id;
    known->birth = born.birth;
  } else if (known) {
    *known = born;
  } else if (!is_counted || !base_line_add(&born)) {
    process_count(LIFELINE_COUNTER_forgottenObjects);
  }
}

/// An object was freed before a later event of another thread, which was applied first: that thread was interrupted
/// between changing the count and reading the clock.
static void ended_before(const effect *e, lifeline_base_object *known) {
  // Without its allocation it may be that of an earlier object.
  if (!known->birth || e->clock < known->birth || known->state != LIFELINE_BASE_LIVE) return;
  known->state = LIFELINE_BASE_FREED;
  known->count = ENDED_BEFORE;
  known->end_thread = e->thread;
  known->end_backtrace = e->backtrace;
}

/// Something changed an object's state, or its count.
static void changed(const effect *e, uint32_t state) {
  lifeline_base_object *known = base_line_find(e->object);
  if (!known) {
    if (state != LIFELINE_BASE_FREED && base_line_forgot_object(e->clock)) return;
    // Its allocation is unknown: another thread's chunk may contain it.
    lifeline_base_object fresh = {
        .address = e->object, .changed = e->clock, .count = (uint32_t)e->count, .state = state};
    if (state == LIFELINE_BASE_FREED) {
      fresh.end_thread = e->thread;
      fresh.end_backtrace = e->backtrace;
      fresh.count = 0;
      fresh.balance = 1;
    }
    if (!base_line_add(&fresh) && state == LIFELINE_BASE_FREED) base_line_forget(e->clock);
    return;
  }
  if (state == LIFELINE_BASE_FREED) known->balance++;
  if (e->clock < known->changed) {
    if (state == LIFELINE_BASE_FREED) ended_before(e, known);
    return;
  }
  known->changed = e->clock;
  if (state == LIFELINE_BASE_FREED) {
    known->end_thread = e->thread;
    known->end_backtrace = e->backtrace;
    known->count = 0;
  }
  if (state != LIFELINE_BASE_LIVE) known->state = state;
  else if (known->state == LIFELINE_BASE_LIVE) known->count = (uint32_t)e->count;
}

/// An object whose allocation is still in the batch leaves only its count: it need not be applied.
static inline bool forget_life(struct fold *f) {
  enum { REACH = 8 };
  uint32_t first = f->effect_count > REACH ? f->effect_count - REACH : 0;
  for (uint32_t i = f->effect_count; i-- > first;) {
    effect *e = &f->effects[i];
    if (e->object != f->object || e->kind != LIFELINE_EVENT_allocate) continue;
    // An earlier object at this address whose end was not seen has ended.
    lifeline_base_object *known = base_line_find(f->object);
    if (known && known->state != LIFELINE_BASE_FREED) return false;
    uint32_t left = i;
    for (uint32_t j = i + 1; j < f->effect_count; j++)
      if (f->effects[j].object != f->object) f->effects[left++] = f->effects[j];
    f->effect_count = left;
    return true;
  }
  return false;
}

/// Applies the batch. Each entry would be a cache miss, so all are prefetched before the first is used.
static void apply(struct fold *f) {
  for (uint32_t i = 0; i < f->effect_count; i++) base_line_expect(f->effects[i].object);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const effect *e = &f->effects[i];
    switch (e->kind) {
      case LIFELINE_EVENT_allocate: allocated(e); break;
      case LIFELINE_EVENT_deallocate: changed(e, LIFELINE_BASE_DEINITED); break;
      case LIFELINE_EVENT_free: changed(e, LIFELINE_BASE_FREED); break;
      default: changed(e, LIFELINE_BASE_LIVE);
    }
  }
  f->effect_count = 0;
}

static void note_finding(struct fold *f, uint32_t frames) {
  lifeline_base_finding finding = {.clock = f->clock, .object = f->object, .kind = f->kind, .thread = f->thread};
  for (uint32_t i = 0; i < facts[f->kind].arguments; i++) finding.arguments[i] = f->arguments[i];
  finding.backtrace = backtrace(f, frames);
  base_line_add_finding(&finding);
}

static inline void gather(struct fold *f, uint32_t frames, bool keeps_ends) {
  bool is_birth = f->kind == LIFELINE_EVENT_allocate, has_count = facts[f->kind].has_count;
  switch (f->kind) {
    case LIFELINE_EVENT_useAfterFree:
    case LIFELINE_EVENT_overRelease:
    case LIFELINE_EVENT_resurrection:
    case LIFELINE_EVENT_unownedAfterDeinit:
    case LIFELINE_EVENT_stray: note_finding(f, frames); return;
    default: break;
  }
  if (!is_birth && !has_count && f->kind != LIFELINE_EVENT_deallocate && f->kind != LIFELINE_EVENT_free) return;
  effect *last = f->effect_count ? &f->effects[f->effect_count - 1] : NULL;
  if (has_count && last && last->object == f->object && facts[last->kind].has_count) {
    // Only the later of two counts matters.
    last->clock = f->clock;
    last->count = f->count;
    return;
  }
  if (f->kind == LIFELINE_EVENT_free && !keeps_ends && forget_life(f)) return;
  base_line_fetch(f->object);
  effect *e = &f->effects[f->effect_count++];
  *e = (effect){.object = f->object, .clock = f->clock, .count = f->count, .kind = f->kind, .thread = f->thread};
  if (is_birth) {
    e->class_id = (uint32_t)f->arguments[0];
    e->size = (uint32_t)f->arguments[1];
    // In order of allocation; objects that live long stay in the batch while others come and go.
    e->number = (uint32_t)base_line_allocated(e->class_id);
  }
  if (is_birth || (keeps_ends && f->kind == LIFELINE_EVENT_free)) e->backtrace = backtrace(f, frames);
  if (f->effect_count == EFFECTS) apply(f);
}

void fold_begin(const uint8_t *chunk) {
  struct fold *f = fold;
  const lifeline_chunk_header *header = (const lifeline_chunk_header *)chunk;
  memset(f, 0, offsetof(struct fold, stack));
  f->at = chunk + LIFELINE_CHUNK_HEADER_SIZE;
  f->end = chunk + (header->sealed ? header->length : LIFELINE_DEFAULT_CHUNK_SIZE);
  f->clock = header->first_clock;
  f->thread = header->thread;
}

bool fold_some(size_t bytes, uint32_t frames, bool keeps_ends) {
  struct fold *f = fold;
  const uint8_t *begin = f->at;
  while ((size_t)(f->at - begin) < bytes) {
    if (!next(f)) {
      apply(f);
      return false;
    }
    gather(f, frames, keeps_ends);
  }
  return true;
}

uint32_t fold_events(void) { return fold->events; }
