#include "TraceFile/ring.h"

#include <errno.h>
#include <string.h>

#include "Process/clock.h"
#include "Process/lock.h"
#include "Process/memory.h"
#include "Process/notice.h"
#include "Process/options.h"
#include "TraceFile/base_line.h"
#include "TraceFile/fold.h"
#include "TraceFile/record.h"
#include "TraceFile/trace_file.h"

enum {
  CHUNK = LIFELINE_DEFAULT_CHUNK_SIZE,
  PLACES = 1 << 20,           // 256 GiB
  TIMED_BASE = 2048,          // chunks that the base line may have where no size was given
};

enum place_state { PLACE_OTHER, PLACE_FREE, PLACE_WRITTEN, PLACE_COMPLETE };

/// A place for a chunk in the file.
typedef struct place {
  uint64_t first_clock, last_clock;
  uint64_t completed;  // CLOCK_MONOTONIC, ns: the event clock's rate is not known for certain here
  uint8_t *mapping;    // of one that is written, or free
  uint32_t state;
} place;

/// In pages that a forked child sees empty.
static struct ring {
  uint32_t count;   // places of the file
  uint32_t in_use;  // those that are not free
  uint32_t limit;   // of places in use; 0: none
  uint64_t keep;    // ns
  int error;        // why the file no longer grows; 0: it does
  bool is_large, was_large_told, is_short, was_short_told;
  uint32_t folded;        // number + 1 of the place whose chunk is being folded; 0: none
  uint8_t *folded_chunk;
} *ring;
static place *places;

/// How many of the file's places may be in use; a fold may need some more at once, for the base line.
static uint32_t with_reserve(uint32_t count) { return count - (count / 4 < 8 ? count / 4 : 8); }

static uint8_t *claim_base(uint32_t sort, uint32_t sequence, bool is_needed);

/// In a process that begins to record; the file has its header.
static bool begin(void) {
  if (!ring) {
    ring = memory_pages(sizeof *ring, true);
    places = memory_pages(PLACES * sizeof *places, true);
    uint64_t chunks = the_options.keep_size / CHUNK;
    uint32_t most = !chunks ? TIMED_BASE : chunks / 2 < 2 * TIMED_BASE ? (uint32_t)chunks / 2 : 2 * TIMED_BASE;
    if (!ring || !places || !fold_prepare() || !base_line_prepare(most, claim_base)) return false;
  }
  ring->limit =
      the_options.keep_size ? with_reserve((uint32_t)((the_options.keep_size - LIFELINE_HEADER_SIZE) / CHUNK)) : 0;
  ring->keep = the_options.keep_time;
  ring->error = 0;
  return base_line_begin();
}

/// The chunk of events that was completed first among those with the oldest last event; PLACES when there is none.
static uint32_t oldest(void) {
  uint32_t found = PLACES;
  for (uint32_t i = 0; i < ring->count; i++)
    if (__atomic_load_n(&places[i].state, __ATOMIC_ACQUIRE) == PLACE_COMPLETE &&
        (found == PLACES || places[i].last_clock < places[found].last_clock ||
         (places[i].last_clock == places[found].last_clock && places[i].first_clock < places[found].first_clock)))
      found = i;
  return found;
}

/// The first event clock of all chunks of events that were not discarded.
static uint64_t first_clock(void) {
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < ring->count; i++)
    if (__atomic_load_n(&places[i].state, __ATOMIC_ACQUIRE) >= PLACE_WRITTEN && places[i].first_clock < first)
      first = places[i].first_clock;
  return first;
}

/// Begins to fold a chunk into the base line.
static bool begin_fold(uint32_t number) {
  lifeline_file_header *file = the_process->header;
  place *p = &places[number];
  uint8_t *chunk = trace_file_map(number);
  if (!chunk) return false;
  if (p->last_clock > file->horizon) __atomic_store_n(&file->horizon, p->last_clock, __ATOMIC_RELEASE);
  base_line_sweep(first_clock());
  fold_begin(chunk);
  p->state = PLACE_OTHER;
  ring->folded = number + 1;
  ring->folded_chunk = chunk;
  return true;
}

/// Folds a part of that chunk. When nothing is left, its place is free.
static void fold_part(size_t bytes) {
  if (fold_some(bytes, the_options.frames, the_options.zombies)) return;
  lifeline_file_header *file = the_process->header;
  uint32_t number = ring->folded - 1;
  uint8_t *chunk = ring->folded_chunk;
  base_line_commit(number, fold_events());
  __atomic_store_n(&((lifeline_chunk_header *)chunk)->magic, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&file->fold, file->fold >> 32 << 32, __ATOMIC_RELEASE);
  memset(chunk, 0, CHUNK);
  places[number].mapping = chunk;
  places[number].state = PLACE_FREE;
  ring->in_use--;
  ring->folded = 0;
}

static void end_fold(void) {
  while (ring->folded) fold_part(CHUNK);
}

static bool let_go(uint32_t number) {
  if (!begin_fold(number)) return false;
  end_fold();
  return true;
}

static bool is_over(uint32_t number) {
  return ring->keep && places[number].completed + ring->keep < clock_nanoseconds(CLOCK_MONOTONIC);
}

/// Discards chunks until there may be one more.
static void make_room(void) {
  uint32_t number;
  end_fold();
  if (ring->limit)
    while (ring->in_use >= ring->limit) {
      // Threads may write more chunks than it may have.
      if ((number = oldest()) == PLACES || !let_go(number)) return;
    }
  else if (ring->in_use == ring->count && (number = oldest()) != PLACES && is_over(number))
    let_go(number);
}

void ring_fold_ahead(void) {
  // More than is written meanwhile, so that a place is free when it is needed.
  enum { PART = RING_STEP + RING_STEP / 2 };
  lock_take(LOCK_RING);
  uint32_t number;
  bool is_recording = __atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_RECORDING;
  if (is_recording && !ring->folded) {
    bool is_full = ring->limit ? ring->in_use >= ring->limit : ring->in_use == ring->count;
    if (is_full && (number = oldest()) != PLACES && (ring->limit || is_over(number))) begin_fold(number);
  }
  if (ring->folded) fold_part(PART);
  lock_drop(LOCK_RING);
}

/// Whether the file becomes larger than requested with one more place.
static bool is_large_with_one_more(void) {
  return the_options.keep_size && LIFELINE_HEADER_SIZE + (ring->count + 1ull) * CHUNK > the_options.keep_size;
}

static bool is_short_of_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

/// A place for one more chunk, with its mapping; NULL and an error where there is none.
static place *claim(int *error) {
  for (uint32_t i = 0; ring->in_use < ring->count && i < ring->count; i++)
    if (places[i].state == PLACE_FREE) {
      ring->in_use++;
      return &places[i];
    }
  if (ring->count == PLACES) ring->error = EFBIG;
  uint8_t *mapping = ring->error ? NULL : trace_file_extend(ring->count, error);
  if (!mapping) {
    // On a full disk the kernel takes long to say so, and the base line would ask for each object.
    if (!ring->error && is_short_of_room(*error)) ring->error = *error;
    if (ring->error) *error = ring->error;
    return NULL;
  }
  ring->in_use++;
  ring->is_large |= is_large_with_one_more();
  places[ring->count].mapping = mapping;
  return &places[ring->count++];
}

/// A place for one more chunk, that of the oldest one or after all others. May be called with LOCK_RECORDS held.
static uint8_t *claim_chunk(bool is_events) {
  lock_take(LOCK_RING);
  make_room();
  int error = 0;
  place *p = claim(&error);
  if (!p && is_short_of_room(error)) {
    // From now on the ring is as large as the file is now.
    uint32_t number = oldest();
    if (number != PLACES && let_go(number)) {
      ring->is_short = true;
      ring->limit = with_reserve(ring->count);
      base_line_limit(ring->count / 2);
      p = claim(&error);
    }
  }
  if (p) {
    p->first_clock = clock_ticks();
    p->state = is_events ? PLACE_WRITTEN : PLACE_OTHER;
  }
  uint8_t *chunk = p ? p->mapping : NULL;
  lock_drop(LOCK_RING);
  if (!chunk) trace_file_stop_for(error);
  return chunk;
}

/// A chunk for the base line, with its header. Called while a chunk is folded.
static uint8_t *claim_base(uint32_t sort, uint32_t sequence, bool is_needed) {
  int error;
  if (!is_needed && ring->in_use == ring->count && is_large_with_one_more()) return NULL;
  place *p = claim(&error);
  if (!p) return NULL;
  p->state = PLACE_OTHER;
  lifeline_chunk_header *header = (lifeline_chunk_header *)p->mapping;
  header->stream = sort;
  header->sequence = sequence;
  header->first_clock = clock_ticks();
  __atomic_store_n(&header->magic, LIFELINE_BASE_CHUNK, __ATOMIC_RELEASE);
  return p->mapping;
}

/// A chunk is complete and about to be unmapped.
static void release(const uint8_t *chunk, uint64_t last_clock) {
  uint32_t count = __atomic_load_n(&ring->count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++) {
    place *p = &places[i];
    if (p->mapping != chunk) continue;
    p->last_clock = last_clock;
    p->completed = clock_nanoseconds(CLOCK_MONOTONIC);
    p->mapping = NULL;
    __atomic_store_n(&p->state, p->state == PLACE_WRITTEN ? PLACE_COMPLETE : PLACE_OTHER, __ATOMIC_RELEASE);
    return;
  }
}

static void say(const char *sentence) {
  record_notice(0, sentence);
  notice_say("%s", sentence);
}

void ring_tell(void) {
  if (!ring) return;
  // On a full disk the file is small for another reason, which is reported below.
  if (ring->is_large && !ring->is_short && !__atomic_exchange_n(&ring->was_large_told, true, __ATOMIC_RELAXED))
    say("The trace is larger than --keep: each thread writes its own chunk of 256 KiB, and the tables need space "
        "too.");
  if (ring->is_short && !__atomic_exchange_n(&ring->was_short_told, true, __ATOMIC_RELAXED))
    say(ring->error == EFBIG ? "The file size limit (ulimit -f) was reached: the trace keeps less than --keep."
                             : "No space was left on the disk for the trace: it keeps less than --keep.");
}

bool ring_is_used(void) { return the_options.keep_size || the_options.keep_time; }

void ring_install(void) {
  static const trace_file_places places_of_ring = {begin, claim_chunk, release};
  trace_file_use(ring_is_used() ? &places_of_ring : NULL);
}
