#include "Recording/event.h"

#include <string.h>
#include <sys/mman.h>

#include "Process/aside.h"
#include "Process/clock.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/sample.h"
#include "Recording/budget.h"
#include "Recording/encoding.h"
#include "Recording/older.h"
#include "TraceFile/record.h"
#include "TraceFile/ring.h"
#include "TraceFile/trace_file.h"

enum { UNTIMED_LIMIT = 16 };

void event_flush(thread_state *t) {
  if (!t->chunk) return;
  // After a longjmp out of a hook `cursor` is `end`: the length is then found by the reader.
  uint8_t *chunk = t->chunk;
  t->chunk = NULL;
  if (t->cursor < t->end) trace_file_seal(chunk, (uint32_t)(t->cursor - chunk), t->events, t->last_clock);
  else trace_file_release(chunk, t->last_clock);
  t->cursor = t->limit = t->end = NULL;
}

/// Writes what the thread runs from here on: a task, or a queue's code.
static void put_running(thread_state *t, enum lifeline_event_kind kind, uint64_t number) {
  uint8_t *begin = t->cursor, *p = begin + 1;
  *p++ = (uint8_t)kind;
  t->cursor = put_varint(p, number);
  t->events++;
  __atomic_store_n(begin, LIFELINE_EVENT_EXTENDED, __ATOMIC_RELEASE);
}

static void put_task(thread_state *t) { put_running(t, LIFELINE_EVENT_task, t->task_number); }
static void put_queue(thread_state *t) { put_running(t, LIFELINE_EVENT_queue, t->queue_label); }

static void open_chunk(thread_state *t) {
  // A thread that slept through the end of its recording does not write into another one, and leaves its memory to the
  // one that ends the recording.
  if (t->recording != the_process->recording ||
      __atomic_load_n(&the_process->state, __ATOMIC_ACQUIRE) == PROCESS_STOPPED) {
    t->ready = 0;
    return;
  }
  uint64_t before = budget_begin_work();
  event_flush(t);
  t->chunk = trace_file_chunk(LIFELINE_EVENT_CHUNK, t->stream, t->sequence, t->number);
  if (!t->chunk) { t->ready = 0; return; }
  ring_tell();
  t->sequence++;
  t->cursor = t->chunk + LIFELINE_CHUNK_HEADER_SIZE;
  t->end = t->chunk + LIFELINE_DEFAULT_CHUNK_SIZE;
  t->limit = ring_is_used() ? t->cursor + RING_STEP : t->end;
  t->last_clock = ((lifeline_chunk_header *)t->chunk)->first_clock;
  t->last_object = t->last_site = 0;
  t->quiet = 0;
  t->events = t->sites = 0;
  t->chunk_number++;
  t->stack_known = false;
  memset(t->objects, 0, sizeof t->objects);
  memset(t->predictions, 0, sizeof t->predictions);
  if (t->task_number) put_task(t);
  if (t->queue_label) put_queue(t);
  budget_end_work(t, before);
}

static void open_aside(void *thread) { open_chunk(thread); }

static void fold_aside(void *thread) {
  uint64_t before = budget_begin_work();
  ring_fold_ahead();
  budget_end_work(thread, before);
}

/// Lets the thread write on in its chunk, if that has room: in a ring a part of the oldest chunk is folded meanwhile.
static bool go_on(thread_state *t, size_t need) {
  if (!t->chunk || (size_t)(t->end - t->cursor) < need) return false;
  size_t step = need + RING_STEP;
  t->limit = (size_t)(t->end - t->cursor) < step ? t->end : t->cursor + step;
  aside(fold_aside, t);
  return true;
}

static bool begin_chunk(thread_state *t) {
  uint32_t before = t->chunk_number;
  aside(open_aside, t);
  return t->chunk_number != before;
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

static uint8_t *put_change(thread_state *t, uint8_t *p, uint32_t pops, uint32_t pushes) {
  uint32_t depth = backtrace_depth(&t->stack);
  *p++ = (uint8_t)((pops < 15 ? pops : 15) << 4 | (pushes < 15 ? pushes : 15));
  if (pops >= 15) p = put_varint(p, pops);
  if (pushes >= 15) p = put_varint(p, pushes);
  for (uint32_t i = depth - pushes; i < depth; i++) p = put_site(t, p, backtrace_word(&t->stack, i));
  return p;
}

/// Whether an entry's words are the innermost `pushes` of the present backtrace, which begin at `from`.
static inline bool has_words(const prediction *known, const backtrace *b, uint32_t from, uint32_t pushes) {
  for (uint32_t i = 0; i < pushes; i++)
    if (known->words[i] != backtrace_word(b, from + i)) return false;
  return true;
}

/// Whether the reader will predict the change; if not, it and we shall the next time.
static inline __attribute__((always_inline)) bool is_predicted(thread_state *t, backtrace_change changed) {
  prediction *known = &t->predictions[lifeline_prediction_slot(changed.context, t->last_kind)];
  tip *now = t->stack.tip;
  uint32_t pushes = changed.pushes, from = backtrace_depth(&t->stack) - pushes;
  if (now->foretold == known->version) return true;
  if (known->pops == changed.pops && known->pushes == pushes &&
      has_words(known, &t->stack, from, pushes)) {
    now->foretold = known->version;
    return true;
  }
  if (pushes > LIFELINE_PREDICTED_SITES) return false;
  now->foretold = known->version = ++t->learned;
  known->pops = changed.pops;
  known->pushes = pushes;
  for (uint32_t i = 0; i < pushes; i++) known->words[i] = backtrace_word(&t->stack, from + i);
  return false;
}

static inline bool is_life(enum lifeline_event_kind kind) {
  return kind == LIFELINE_EVENT_allocate || kind == LIFELINE_EVENT_deallocate || kind == LIFELINE_EVENT_free;
}

static inline bool kind_has_count(enum lifeline_event_kind kind) {
  switch (kind) {
#define X(name, number, arguments, object, count) \
  case number: return count;
    LIFELINE_EVENT_KINDS(X)
#undef X
    default: return false;
  }
}

uint64_t *event_last_of_address;
uint64_t memory_returns = 1;

void event_prepare(void) {
  enum { SIZE = EVENT_ADDRESS_SLOTS * sizeof *event_last_of_address };
  if (!event_last_of_address) event_last_of_address = memory_pages(SIZE, true);
  else madvise(event_last_of_address, SIZE, MADV_DONTNEED);
  if (!event_last_of_address) trace_file_stop(LIFELINE_STOP_noMemory);
  older_prepare();
}

/// Whether few of the calls that count references are recorded: then a thread's last time may be long ago, and what it
/// does now would be ordered before what other threads did since. At depth "lives" the address decides.
static bool is_sparse(void) {
  return !the_options.lives && (sample_limit < SAMPLE_ALL || the_options.only.count || the_options.ignore.count ||
                                the_options.retains.count);
}

__attribute__((noinline)) uint8_t *event_put_time(thread_state *t, uint8_t *p) {
  t->returns = memory_returns_now();
  interruption_forget(t->uninterrupted);
  uint64_t now = clock_ticks();
  // A thread that moves to another core may see an earlier clock; time does not go backwards in a stream.
  if (now < t->last_clock) now = t->last_clock;
  p = put_varint(p, now - t->last_clock);
  t->last_clock = now;
  t->quiet = the_options.exact_time || is_sparse() ? 0 : UNTIMED_LIMIT - 1;
  return p;
}

/// Writes an event of the present backtrace, to which `changed` led; `foretold`: as the reader will predict.
static inline __attribute__((always_inline)) void write_known(thread_state *t, enum lifeline_event_kind kind,
                                                              uint64_t object, int64_t count, int64_t change,
                                                              bool foretold, backtrace_change changed,
                                                              const uint64_t *arguments, uint32_t argument_count) {
  // At most 64 bytes of fields and 11 of each site.
  size_t need = 64 + 16 * (size_t)changed.pushes;
  if (!foretold && __builtin_expect((size_t)(t->limit - t->cursor) < need || !t->chunk, 0) && !go_on(t, need)) {
    backtrace_trim(&t->stack, the_options.frames);
    if (!begin_chunk(t)) return;
  }
  uint8_t *begin = t->cursor, *p = begin + 1;
  // Fresh lines of the chunk are cold, and the next locked instruction would wait for the stores to them.
  __builtin_prefetch(begin + 1024, 1);
  uint8_t tag = (uint8_t)kind;
  if (kind >= LIFELINE_EVENT_EXTENDED) {
    tag = LIFELINE_EVENT_EXTENDED;
    *p++ = (uint8_t)kind;
  }
  bool has_object = kind != LIFELINE_EVENT_mark && kind != LIFELINE_EVENT_span;
  uint32_t slot = lifeline_object_slot(object);
  cached_object *known = &t->objects[slot];
  bool cached = known->address == object;
  if (__builtin_expect(the_options.attached, 0) && !cached && has_object) older_meet(kind, object);
  // An event without a time is ordered by its neighbors. For one object that is exact as long as no other thread has
  // touched it since this thread last did. The count shows that, except for a retain and release in between, so the
  // final release, which is later than those, has a time. What this thread does to the object afterwards needs none:
  // the next user of the memory is later than that. A single thread needs no times; a second one counts itself before
  // it records. If the recording started late, threads that have not recorded yet may be running all the same.
  // After a wait the last time is no longer near, and others may have retained and released what is this thread's.
  bool alone = !the_options.attached && __atomic_load_n(&the_process->header->threads, __ATOMIC_RELAXED) <= 1, quiet;
  if (kind_has_count(kind))
    quiet = (alone || (cached && (int64_t)known->true_count + change == count)) && (count != 0 || change >= 0);
  else if (kind == LIFELINE_EVENT_free && object == t->last_object) quiet = true;
  else if (the_options.lives && is_life(kind))
    quiet = event_is_own_address(t, object) || alone || (kind == LIFELINE_EVENT_allocate && event_is_memory_older(t));
  else if (kind == LIFELINE_EVENT_deallocate) quiet = cached && known->true_count == 0;
  else quiet = false;
  if (quiet && event_may_be_quiet(t)) {
    t->quiet--;
  } else {
    tag |= LIFELINE_EVENT_TIME;
    p = event_put_time(t, p);
  }
  if (has_object) {
    if (object == t->last_object) tag |= LIFELINE_EVENT_SAME_OBJECT;
    else p = put_object(t, p, object, slot, cached);
  }
  uint64_t predicted = cached ? known->count : 0;
  if (kind_has_count(kind)) {
    predicted += (uint64_t)change;
    uint64_t written = count == EVENT_NO_COUNT ? 0 : (uint64_t)count + 1;
    if (written != predicted + 1) {
      tag |= LIFELINE_EVENT_COUNT;
      p = put_varint(p, written);
      predicted = written ? written - 1 : 0;
    }
  }
  if (has_object) {
    known->address = object;
    known->count = (uint32_t)predicted;
    known->true_count = kind == LIFELINE_EVENT_allocate ? 1 : (uint32_t)predicted;
    t->last_object = object;
  }
  for (uint32_t i = 0; i < argument_count; i++) p = put_varint(p, arguments[i]);
  if (!foretold && __builtin_expect(!t->stack_known, 0)) {
    tag |= LIFELINE_EVENT_BACKTRACE;
    p = put_change(t, p, 0, backtrace_depth(&t->stack));
    t->stack_known = true;
  } else if (!foretold && !is_predicted(t, changed)) {
    tag |= LIFELINE_EVENT_BACKTRACE;
    p = put_change(t, p, changed.pops, changed.pushes);
  }
  t->events++;
  t->last_kind = kind;
  t->cursor = p;
  __atomic_store_n(begin, tag, __ATOMIC_RELEASE);  // the commit
}

static void write_event(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                        backtrace_change changed, const uint64_t *arguments, uint32_t argument_count) {
  write_known(t, kind, object, count, change, false, changed, arguments, argument_count);
}

static inline backtrace_change update(thread_state *t, call_site at) {
  backtrace *b = &t->stack;
  return b->plain ? backtrace_walk(b, call_site_slot(at), at[1], at[0], the_options.frames)
                  : backtrace_update(b, at, the_options.frames);
}

void event_write(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                 call_site at, const uint64_t *arguments, uint32_t argument_count) {
  write_event(t, kind, object, count, change, update(t, at), arguments, argument_count);
}

// Each of these is write_known for one kind, with a backtrace that follows as it did the last time.
void event_write_allocation(thread_state *t, uint64_t object, call_site at, uint64_t class, uint64_t size) {
  uint64_t arguments[2] = {class, size};
  if (event_is_foretold(t, at))
    write_known(t, LIFELINE_EVENT_allocate, object, EVENT_NO_COUNT, 0, true, (backtrace_change){0}, arguments, 2);
  else event_write(t, LIFELINE_EVENT_allocate, object, EVENT_NO_COUNT, 0, at, arguments, 2);
}

void event_write_final_release(thread_state *t, uint64_t object, call_site at) {
  if (event_is_foretold(t, at))
    write_known(t, LIFELINE_EVENT_release, object, 0, -1, true, (backtrace_change){0}, NULL, 0);
  else event_write(t, LIFELINE_EVENT_release, object, 0, -1, at, NULL, 0);
}

void event_write_deallocation(thread_state *t, uint64_t object, call_site at) {
  if (event_is_foretold(t, at))
    write_known(t, LIFELINE_EVENT_deallocate, object, EVENT_NO_COUNT, 0, true, (backtrace_change){0}, NULL, 0);
  else event_write(t, LIFELINE_EVENT_deallocate, object, EVENT_NO_COUNT, 0, at, NULL, 0);
}

void event_write_free_here(thread_state *t, uint64_t object) {
  tip *now = t->stack.tip;
  // What the tip knows about following another one stays valid for that.
  uint64_t foretold = now->foretold;
  now->foretold = TIP_UNFORETOLD;
  backtrace_change none = {0, 0, now->context};
  write_known(t, LIFELINE_EVENT_free, object, EVENT_NO_COUNT, 0, false, none, NULL, 0);
  now->foretold = foretold;
}

void event_write_counted(thread_state *t, enum lifeline_event_kind kind, uint64_t object, int64_t count, int64_t change,
                         call_site at) {
  backtrace_change changed = update(t, at);
  if ((size_t)(t->limit - t->cursor) < 64 + 16 * (size_t)changed.pushes) {
    write_event(t, kind, object, count, change, changed, NULL, 0);
    return;
  }
  uint8_t *begin = t->cursor, *p = begin + 1, tag = (uint8_t)kind;
  __builtin_prefetch(begin + 1024, 1);  // as event_quickly does
  uint32_t slot = lifeline_object_slot(object);
  if (object == t->last_object) tag |= LIFELINE_EVENT_SAME_OBJECT;
  else *p++ = (uint8_t)slot;
  t->objects[slot].counts = (uint64_t)count * (1ull << 32 | 1);
  t->last_object = object;
  if (!is_predicted(t, changed)) {
    tag |= LIFELINE_EVENT_BACKTRACE;
    p = put_change(t, p, changed.pops, changed.pushes);
  }
  t->quiet--;
  t->events++;
  t->last_kind = kind;
  t->cursor = p;
  __atomic_store_n(begin, tag, __ATOMIC_RELEASE);  // the commit
}

void event_write_life_anew(thread_state *t, enum lifeline_event_kind kind, uint64_t object, call_site at,
                           uint64_t class, uint64_t size) {
  backtrace_change changed = update(t, at);
  if (!t->stack_known || (size_t)(t->limit - t->cursor) < 64 + 16 * (size_t)changed.pushes) {
    uint64_t arguments[2] = {class, size};
    write_event(t, kind, object, EVENT_NO_COUNT, 0, changed, arguments, kind == LIFELINE_EVENT_allocate ? 2 : 0);
    return;
  }
  uint8_t tag, *end = event_put_life(t, kind, object, class, size, &tag);
  if (!is_predicted(t, changed)) {
    tag |= LIFELINE_EVENT_BACKTRACE;
    end = put_change(t, end, changed.pops, changed.pushes);
  }
  event_commit_life(t, kind, tag, end);
}

void event_write_at_fault(thread_state *t, enum lifeline_event_kind kind, uint64_t object, const void *context,
                          const uint64_t *arguments, uint32_t argument_count) {
  write_event(t, kind, object, EVENT_NO_COUNT, 0, backtrace_at_fault(&t->stack, context, the_options.frames), arguments,
              argument_count);
}

void event_begin_thread(thread_state *t) {
  t->always = 1;
  t->uninterrupted = interruption_word(&t->always);
}

void event_thread(thread_state *t) {
  if (!t->chunk || (size_t)(t->limit - t->cursor) < 64) {
    if (!go_on(t, 64) && !begin_chunk(t)) return;
  }
  uint8_t *begin = t->cursor, *p = begin + 1;
  *p++ = LIFELINE_EVENT_thread;
  uint64_t now = clock_ticks();
  if (now < t->last_clock) now = t->last_clock;
  p = put_varint(p, now - t->last_clock);
  t->last_clock = now;
  p = put_varint(p, t->number);
  backtrace_clear(&t->stack);
  t->stack_known = false;
  t->quiet = 0;
  t->events++;
  t->cursor = p;
  __atomic_store_n(begin, LIFELINE_EVENT_EXTENDED | LIFELINE_EVENT_TIME, __ATOMIC_RELEASE);
}

/// Room for what a thread runs; without it, a new chunk, which begins with that.
static bool has_room(thread_state *t) {
  if ((t->chunk && (size_t)(t->limit - t->cursor) >= 64) || go_on(t, 64)) return true;
  backtrace_trim(&t->stack, the_options.frames);
  begin_chunk(t);
  return false;
}

void event_task(thread_state *t) {
  if (has_room(t)) put_task(t);
}

void event_queue(thread_state *t) {
  if (has_room(t)) put_queue(t);
}
