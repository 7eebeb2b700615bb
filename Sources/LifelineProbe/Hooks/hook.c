#include "Hooks/hook.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "Detours/detour.h"
#include "Detours/detour_trap.h"
#include "Hooks/hook_explore.h"
#include "Hooks/hook_lives.h"
#include "Hooks/hook_meeting.h"
#include "Hooks/hook_sample.h"
#include "Hooks/hook_table.h"
#include "Hooks/hook_weak_unowned.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/runtime.h"
#include "Process/sample.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "TraceFile/record.h"

static void *outermost(const hook_entry *e) {
  return the_options.explores ? explore_hook_before(e->name, e->hook) : e->hook;
}

/// Hooks call the originals of others, whose detours may be made later, or not at all.
static void let_originals_be_functions(hook_entry *entries, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    char name[64];
    snprintf(name, sizeof name, "swift_%s", entries[i].name);
    if (!*entries[i].original) *entries[i].original = runtime_symbol(name);
  }
}

static void install(hook_entry *entries, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    char name[64];
    snprintf(name, sizeof name, "swift_%s", entries[i].name);
    if (!entries[i].whole) entries[i].whole = entries[i].hook;
    entries[i].hook = entries[i].whole;
    if (the_options.lives) entries[i].hook = hook_at_lives(entries[i].name, entries[i].hook, the_options.zombies);
    if (sample_wanted()) entries[i].hook = hook_at_sample(entries[i].name, entries[i].hook);
    if (!entries[i].hook) continue;
    void *function = runtime_symbol(name);
    if (!function) entries[i].status = LIFELINE_DETOUR_MISSING;
    else if (detour_install(function, outermost(&entries[i]), entries[i].original)) {
      entries[i].status = LIFELINE_DETOUR_ACTIVE;
      hook_forget_freed(entries[i].name, entries[i].original);
    } else entries[i].status = LIFELINE_DETOUR_REFUSED;
  }
}

static const hook_entry *find(const char *name) {
  for (unsigned i = 0; i < HOOK_OBJECT_COUNT; i++)
    if (!strcmp(hook_object_table[i].name, name)) return &hook_object_table[i];
  return NULL;
}

/// Whether an entry point is detoured, or not detoured on purpose.
static bool active(const char *name) { return !find(name)->hook || find(name)->status == LIFELINE_DETOUR_ACTIVE; }

bool hook_install(void) {
  hook_plain_dealloc = hook_release_dealloc = (void (*)(void *))runtime_release_dealloc();
  if (the_options.explores) explore_deinits(true);
  if (!detour_prepare(runtime_symbol("swift_retain"))) return false;
  let_originals_be_functions(hook_object_table, HOOK_OBJECT_COUNT);
  let_originals_be_functions(hook_weak_unowned_table, HOOK_WEAK_UNOWNED_COUNT);
  install(hook_object_table, HOOK_OBJECT_COUNT);
  install(hook_weak_unowned_table, HOOK_WEAK_UNOWNED_COUNT);
  if (the_options.explores) explore_meetings();
  detour_finish();
  return active("retain") && active("release") && active("allocObject") && active("deallocObject") &&
         active("slowDealloc");
}

static bool lead(const hook_entry *entries, unsigned count, bool on) {
  bool good = true;
  for (unsigned i = 0; i < count; i++) {
    if (entries[i].status != LIFELINE_DETOUR_ACTIVE || !entries[i].hook) continue;
    char name[64];
    snprintf(name, sizeof name, "swift_%s", entries[i].name);
    void *hook = on ? explore_hook_before(entries[i].name, entries[i].hook) : entries[i].hook;
    if (hook != entries[i].hook || !on) good &= detour_lead(runtime_symbol(name), hook);
  }
  return good;
}

bool hook_explore(bool on) {
  static bool has_meetings;
  explore_deinits(on);
  bool good =
      lead(hook_object_table, HOOK_OBJECT_COUNT, on) && lead(hook_weak_unowned_table, HOOK_WEAK_UNOWNED_COUNT, on);
  if (!on || !good || has_meetings) return good;
  has_meetings = true;
  detour_trap_begin();
  explore_meetings();
  detour_finish();
  return true;
}

uint32_t hook_access_at(uint64_t pc) {
  enum { LONGEST = 512 };
  const hook_entry *nearest = NULL;
  for (unsigned i = 0; i < HOOK_OBJECT_COUNT; i++) {
    const hook_entry *e = &hook_object_table[i];
    uint64_t begin = (uint64_t)e->hook;
    if (begin <= pc && pc - begin < LONGEST && (!nearest || begin > (uint64_t)nearest->hook)) nearest = e;
  }
  return nearest ? nearest->access : 0;
}

static void write_states(const hook_entry *entries, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (!entries[i].hook) continue;
    char name[64];
    snprintf(name, sizeof name, "swift_%s", entries[i].name);
    record_detour(entries[i].status, name);
    if (entries[i].status == LIFELINE_DETOUR_REFUSED) process_count(LIFELINE_COUNTER_refusedDetours);
  }
}

void hook_record_all(void) {
  write_states(hook_object_table, HOOK_OBJECT_COUNT);
  write_states(hook_weak_unowned_table, HOOK_WEAK_UNOWNED_COUNT);
}

// An object of a made-up heap metadata, kind HeapLocalVariable: the runtime needs its destructor only.
enum { TEST_SIZE = 32, TEST_MASK = 15 };

void *self_test_dealloc __attribute__((used));

// The destructor gets the object in r13 (swiftself) and ends in swift_deallocObject, as compiled ones do.
__attribute__((naked)) static void self_test_destroy(void) {
  __asm__("mov %r13, %rdi\n mov $32, %esi\n mov $15, %edx\n jmp *self_test_dealloc(%rip)");
}

static struct {
  void (*destroy)(void);
  void *witnesses;
  uint64_t kind, offset, captures;
} test_metadata = {self_test_destroy, NULL, 0x400, 16, 0};

#define CALL(name, type) ((type)runtime_symbol("swift_" #name))

/// An object that only its creator refers to.
static bool exercise_short_life(thread_state *t) {
  uint32_t before = t->events, events = the_options.lives ? 2 : 4;
  for (uint32_t i = 1; i <= 3; i++) {
    void *object = CALL(allocObject, alloc_function)((uint64_t)&test_metadata.kind, TEST_SIZE, TEST_MASK);
    CALL(release, void (*)(void *))(object);
    if (t->events != before + i * events) return false;
  }
  return true;
}

static bool exercise(thread_state *t) {
  typedef uint64_t (*count_function)(void *);
  count_function true_count = CALL(retainCount, count_function);
  uint64_t reference = 0;
  void *object = CALL(allocObject, alloc_function)((uint64_t)&test_metadata.kind, TEST_SIZE, TEST_MASK);
  heap_object *heap = object;
  bool full = !the_options.lives;
  bool good = t->events == 1 && object_count(heap) == 1;
  good &= CALL(retain, void *(*)(void *))(object) == object && object_count(heap) == 2;
  CALL(release, void (*)(void *))(object);
  CALL(retain_n, void *(*)(void *, uint32_t))(object, 3);
  good &= true_count && true_count(object) == 4 && object_count(heap) == 4;
  CALL(release_n, void (*)(void *, uint32_t))(object, 3);
  good &= t->events == (full ? 5 : 1) && object_count(heap) == 1;
  CALL(weakInit, void *(*)(uint64_t *, void *))(&reference, object);
  good &= CALL(weakLoadStrong, void *(*)(uint64_t *))(&reference) == object;
  good &= true_count && true_count(object) == 2 && object_count(heap) == 2;  // now in the side table
  CALL(release, void (*)(void *))(object);
  CALL(weakDestroy, void (*)(uint64_t *))(&reference);
  CALL(unownedRetain, void *(*)(void *))(object);
  CALL(unownedRelease, void (*)(void *))(object);
  good &= t->events == (full ? 11 : 1) && object_count(heap) == 1;
  CALL(release, void (*)(void *))(object);
  good &= t->events == (full ? 14 : 2);  // final release, deallocate, free; or free alone
  return good && exercise_short_life(t);
}

static bool self_test(void) {
  enum { BUFFER = 65536 };
  static thread_state *t;
  if (t) madvise(t, sizeof *t + BUFFER, MADV_DONTNEED);
  else t = memory_pages(sizeof *t + BUFFER, false);
  if (!t) return false;
  // The events go to a buffer of ours; the class exists only meanwhile.
  class_info test_class = {.metadata = (uint64_t)&test_metadata.kind, .id = UINT32_MAX, .flags = LIFELINE_CLASS_OTHER,
                           .instance_size = TEST_SIZE, .name = "self-test",
                           .is_counted = true};
  uint32_t slot = class_hash(test_class.metadata);
  class_unmeet(test_class.metadata);  // of an earlier recording
  class_slots[slot] = &test_class;
  t->ready = 1;
  t->number = 1;
  t->chunk = (uint8_t *)(t + 1);
  t->cursor = t->chunk + LIFELINE_CHUNK_HEADER_SIZE;
  t->limit = t->end = t->chunk + BUFFER;
  t->chunk_number = 1;
  event_begin_thread(t);
  backtrace_begin_thread(&t->stack, (uint64_t)__builtin_frame_address(0));
  t->task = task_current();  // a program may begin the recording inside a task
  t->task_number = t->task ? task_low_number(t->task) : 0;
  t->queue = queue_current();
  t->queue_number = t->queue ? queue_number(t->queue) : 0;
  self_test_dealloc = runtime_symbol("swift_deallocObject");
  thread_current = t;
  bool good = exercise(t);
  thread_current = NULL;
  class_slots[slot] = NULL;
  class_unmeet(test_class.metadata);
  // `t` stays mapped: 300 KiB of untouched pages are cheaper than checking whether it is still in use.
  return good;
}

bool hook_self_test(void) {
  sample_limit = SAMPLE_ALL;
  bool good = self_test();
  // Until here every object was in the sample.
  if (the_options.sample > 1) sample_choose(the_options.sample);
  return good;
}
