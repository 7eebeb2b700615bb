#include "Objects/class.h"

#include <stdio.h>
#include <string.h>

#include "lifeline_format.h"
#include "Objects/class_name.h"
#include "Process/aside.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Process/runtime.h"
#include "TraceFile/record.h"
#include "Unwinding/image.h"

class_info *class_slots[CLASS_SLOTS];
// An empty word is 0, which matches only addresses below 8, where no metadata is. All that is looked for in the first
// word, whose empty value matches what is looked for elsewhere.
enum { EMPTY_FIRST = 8 };
uint64_t class_words[1 << CLASS_WORD_BITS] = {EMPTY_FIRST};
const class_info class_ignored;
const class_info class_stray;
static uint32_t used, next_id = 1;

static class_info *arena, *arena_end;
static char *names, *names_end;

static class_info *new_info(void) {
  if (arena == arena_end) {
    arena = memory_pages(64 * 1024, false);
    arena_end = arena ? arena + 64 * 1024 / sizeof *arena : NULL;
  }
  return arena ? arena++ : NULL;
}

static const char *keep_name(const char *name) {
  size_t size = strlen(name) + 1;
  if ((size_t)(names_end - names) < size) {
    names = memory_pages(64 * 1024, false);
    names_end = names ? names + 64 * 1024 : NULL;
    if (!names) return "";
  }
  char *kept = names;
  memcpy(kept, name, size);
  names += size;
  return kept;
}

static void module_prefix(const image *i, char *into, size_t limit) {
  const char *slash = i ? strrchr(i->path, '/') : NULL;
  snprintf(into, limit, "%.200s", slash ? slash + 1 : "unknown");
  char *dot = strchr(into, '.');
  if (dot) *dot = 0;
}

/// Whether a class is of one of the toolchain's libraries that are linked into the program, with the runtime
/// (TypeName.swift has the same list).
static bool is_of_toolchain(const char *name) {
  if (the_runtime.method != LIFELINE_METHOD_STATIC_RUNTIME) return false;
  static const char *const modules[] = {
      "Swift.",       "CoreFoundation.", "Dispatch.",    "Synchronization.",    "Observation.",
      "Distributed.", "RegexBuilder.",   "_Concurrency.", "_StringProcessing.", "_RegexParser.",
      "XCTest.",      "Testing.",        "_Differentiation.", "Foundation",     "_Foundation",
  };
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (!strncmp(name, modules[i], strlen(modules[i]))) return true;
  return false;
}

/// Decides whether objects of a class are recorded, and how.
static void choose(class_info *c, uint64_t kind, const image *i) {
  const options *o = &the_options;
  bool wanted = o->only.count    ? options_match(&o->only, c->name)
                : o->all_classes ? true
                                 : i && !(i->flags & LIFELINE_IMAGE_SYSTEM) && !is_of_toolchain(c->name);
  if (options_match(&o->ignore, c->name)) wanted = false;
  // These are not allocated with swift_allocObject: an object whose allocation is not seen would be mixed up with
  // earlier ones at its address.
  if (kind == TASK || kind == JOB) wanted = false;
  c->flags &= ~(LIFELINE_CLASS_GUARDED | LIFELINE_CLASS_UNCOUNTED);
  if (wanted && c->flags == LIFELINE_CLASS_OBJECT && options_match(&o->guard, c->name))
    c->flags |= LIFELINE_CLASS_GUARDED;
  c->id = !wanted ? 0 : c->id ? c->id : next_id++;
  c->is_counted = wanted && (!o->retains.count || options_match(&o->retains, c->name));
  if (wanted && !c->is_counted) c->flags |= LIFELINE_CLASS_UNCOUNTED;
}

/// Fills in the fields from the metadata; false when it is not readable heap metadata.
static bool examine(class_info *c) {
  uint64_t word[6];
  char name[1024] = "", module[256];
  if (!memory_read((void *)c->metadata, word, sizeof word[0])) return false;
  uint64_t home = c->metadata;
  if (class_is_class(word[0])) {
    if (!memory_read((void *)c->metadata, word, sizeof word)) return false;
    uint64_t descriptor = class_descriptor(c->metadata);
    bool is_cut, is_named = descriptor && class_name(c->metadata, name, sizeof name, &is_cut);
    // Memory that only looks like a class is ignored; a class whose name cannot be read is still recorded.
    if (!is_named && !(descriptor && class_describes_class(descriptor))) return false;
    if (!is_named) name[0] = 0;
    if (!is_named || is_cut) process_count(LIFELINE_COUNTER_incompleteNames);
    uint32_t size;
    memcpy(&size, (uint8_t *)word + 24, 4);
    c->instance_size = size;
    c->superclass = word[1];
    c->flags = LIFELINE_CLASS_OBJECT;
    home = descriptor;
  } else if (word[0] == HEAP_LOCAL_VARIABLE || word[0] == HEAP_GENERIC_LOCAL_VARIABLE) {
    c->flags = word[0] == HEAP_LOCAL_VARIABLE ? LIFELINE_CLASS_CLOSURE : LIFELINE_CLASS_BOX;
  } else {
    c->flags = LIFELINE_CLASS_OTHER;
  }
  const image *i = image_known(home);
  c->image = i ? i->id : 0;
  if (!name[0]) {
    module_prefix(i, module, sizeof module);
    snprintf(name, sizeof name, "%s.%s", module,
             c->flags == LIFELINE_CLASS_CLOSURE ? "(closure context)"
             : c->flags == LIFELINE_CLASS_BOX   ? "(box)"
             : word[0] == ERROR_OBJECT          ? "(error)"
             : c->flags == LIFELINE_CLASS_OBJECT ? "(unnamed class)"
                                                : "(runtime object)");
  }
  c->name = keep_name(name);
  choose(c, word[0], i);
  return true;
}

static void write_class(const class_info *c) {
  record_class_locked(c->id, c->flags, c->metadata, c->superclass, c->instance_size, c->image, c->name);
}

typedef struct question {
  uint64_t metadata;
  const class_info *answer;
} question;

static void decide(void *asked) {
  question *q = asked;
  uint64_t metadata = q->metadata, word;
  q->answer = &class_ignored;
  if (!process_is_recording()) return;
  enum memory_answer readable =
      metadata < 4096 || (metadata & 7) ? MEMORY_NONE : memory_look((void *)metadata, &word, sizeof word);
  if (readable != MEMORY_READ) {
    if (readable == MEMORY_NONE) q->answer = &class_stray;
    else process_count(LIFELINE_COUNTER_lostClasses);  // memory cannot be inspected: nothing is recorded about it
    return;
  }
  // May register images, which takes the lock that is taken below.
  image_at(metadata);
  uint64_t descriptor = class_descriptor(metadata);
  if (descriptor) image_at(descriptor);
  class_info local = {.metadata = metadata};
  record_lock();
  uint32_t slot = class_hash(metadata);
  while (class_slots[slot] && class_slots[slot]->metadata != metadata) slot = (slot + 1) & (CLASS_SLOTS - 1);
  const class_info *result = class_slots[slot];
  if (!result) {
    result = &class_ignored;
    class_info *c = used < CLASS_SLOTS * 3 / 4 ? new_info() : NULL;
    if (!c) {
      process_count(LIFELINE_COUNTER_lostClasses);
    } else if (examine(&local)) {
      *c = local;
      if (c->id) write_class(c);
      used++;
      __atomic_store_n(&class_slots[slot], c, __ATOMIC_RELEASE);
      result = c;
    }  // not readable as metadata: nothing is remembered, the pointer may have been garbage
  }
  record_unlock();
  q->answer = result;
}

const class_info *class_decide(uint64_t metadata) {
  question asked = {metadata, &class_ignored};
  if (the_process && !process_has_stopped()) aside(decide, &asked);
  return asked.answer;
}

static uint64_t empty_word(const uint64_t *word) { return word == class_words ? EMPTY_FIRST : 0; }

static uint64_t word_now(const class_info *c, uint64_t metadata, const uint64_t *word) {
  if (__atomic_load_n(&c->metadata, __ATOMIC_SEQ_CST) != metadata) return empty_word(word);
  uint32_t id = __atomic_load_n(&c->id, __ATOMIC_SEQ_CST);
  bool is_counted = __atomic_load_n(&c->is_counted, __ATOMIC_SEQ_CST);
  return metadata | (is_counted ? CLASS_COUNTED : id ? CLASS_UNCOUNTED : CLASS_UNRECORDED);
}

const class_info *class_meet(uint64_t metadata) {
  const class_info *c = class_of(metadata);
  if (!metadata || c->metadata != metadata) return c;
  // The class may be forgotten or decided again meanwhile, which clears the word after changing the class.
  uint64_t *word = class_word(metadata), known;
  do __atomic_store_n(word, known = word_now(c, metadata, word), __ATOMIC_SEQ_CST);
  while (known != word_now(c, metadata, word));
  return c;
}

void class_unmeet(uint64_t metadata) {
  uint64_t *word = class_word(metadata);
  __atomic_store_n(word, empty_word(word), __ATOMIC_SEQ_CST);
}

static void unmeet_all(void) {
  for (uint64_t *word = class_words; word < class_words + (1 << CLASS_WORD_BITS); word++)
    __atomic_store_n(word, empty_word(word), __ATOMIC_SEQ_CST);
}

void class_decide_again(void) {
  record_lock();
  for (uint32_t slot = 0; slot < CLASS_SLOTS; slot++) {
    class_info *c = class_slots[slot];
    uint64_t kind;
    if (!c || c->is_zombie) continue;
    if (memory_read((void *)c->metadata, &kind, sizeof kind)) choose(c, kind, image_by_id(c->image));
    else c->id = c->is_counted = 0;
  }
  for (uint32_t slot = 0; slot < CLASS_SLOTS; slot++) {
    class_info *zombie = class_slots[slot];
    if (!zombie || !zombie->is_zombie) continue;
    uint32_t own = class_hash(zombie->zombie_of);
    while (class_slots[own] && class_slots[own]->metadata != zombie->zombie_of) own = (own + 1) & (CLASS_SLOTS - 1);
    zombie->id = class_slots[own] ? class_slots[own]->id : 0;
  }
  unmeet_all();
  record_unlock();
}

bool class_add_zombie(uint64_t metadata, const class_info *original) {
  record_lock();
  class_info *c = used < CLASS_SLOTS * 3 / 4 ? new_info() : NULL;
  if (c) {
    *c = *original;
    c->metadata = metadata;
    c->zombie_of = original->metadata;
    c->is_zombie = true;
    c->is_counted = true;  // whatever touches it is of interest
    uint32_t slot = class_hash(metadata);
    while (class_slots[slot]) slot = (slot + 1) & (CLASS_SLOTS - 1);
    used++;
    __atomic_store_n(&class_slots[slot], c, __ATOMIC_RELEASE);
  }
  record_unlock();
  return c != NULL;
}

void class_forget(uint64_t first, uint64_t end) {
  enum { NO_METADATA = 1 };  // an odd address: the entry stays, so that later ones are found, but matches nothing
  record_lock();
  for (uint32_t slot = 0; slot < CLASS_SLOTS; slot++) {
    class_info *c = class_slots[slot];
    if (!c) continue;
    if (c->metadata >= first && c->metadata < end) __atomic_store_n(&c->metadata, NO_METADATA, __ATOMIC_SEQ_CST);
    if (c->zombie_of >= first && c->zombie_of < end) __atomic_store_n(&c->zombie_of, 0, __ATOMIC_RELEASE);
  }
  unmeet_all();
  record_unlock();
}

void class_record_all(void) {
  record_lock();
  for (uint32_t slot = 0; slot < CLASS_SLOTS; slot++)
    if (class_slots[slot] && class_slots[slot]->id && !class_slots[slot]->is_zombie) write_class(class_slots[slot]);
  record_unlock();
}
