#include "Detection/freed_holder.h"

#include "Detection/quarantine.h"
#include "Detection/zombie.h"
#include "Objects/object.h"
#include "Process/memory.h"
#include "Recording/thread.h"

enum {
  SEARCHES = 64,      // of a process; a program that goes on after so many is not delayed again
  OBJECTS = 1 << 16,  // looked at in a search, those freed last first
  WORDS = 512,        // looked at in an object
  PIECE = 32,         // words that are copied at once
};

typedef struct search {
  uint64_t address;
  uint64_t object, place;
  uint32_t left;
  bool has_several;
} search;

/// Looks at words of an object; false when nothing more can be found in it.
static bool look(search *s, uint64_t object, const uint64_t *words, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (first + i < 2 || (uint64_t)object_at((const void *)words[i]) != s->address) continue;
    s->has_several = s->object && s->object != object;
    s->object = object;
    s->place = object + 8 * (first + i);
    return false;
  }
  return true;
}

static size_t words_of(const quarantined *memory) {
  size_t words = memory->size / 8;
  return words < 2 ? 0 : words < WORDS ? words : WORDS;
}

/// In quarantine, memory stays while it is looked at.
static bool look_quietly(const quarantined *memory, void *context) {
  search *s = context;
  const uint64_t *words = memory->object;
  if (words_of(memory) && zombie_is(words[0])) look(s, (uint64_t)words, words, 0, words_of(memory));
  return --s->left > 0 && !s->has_several;
}

/// What another thread has not handed in yet may go back to the allocator at any time.
static void look_carefully(search *s, quarantined memory) {
  uint64_t words[PIECE];
  bool is_wanted = true;
  for (size_t first = 0, count = words_of(&memory); is_wanted && first < count; first += PIECE) {
    size_t piece = count - first < PIECE ? count - first : PIECE;
    if (!memory_read((uint64_t *)memory.object + first, words, 8 * piece)) return;
    if (first == 0 && !zombie_is(words[0])) return;
    is_wanted = look(s, (uint64_t)memory.object, words, first, piece);
  }
}

uint64_t freed_holder(uint64_t address, uint64_t *place) {
  static uint32_t searches;
  if (!zombie_wanted() || __atomic_fetch_add(&searches, 1, __ATOMIC_RELAXED) >= SEARCHES) return 0;
  search s = {.address = address, .left = OBJECTS};
  for (thread_state *t = thread_all(); t && !s.has_several; t = t->next) {
    uint32_t count = __atomic_load_n(&t->quarantine.count, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < count && i < QUARANTINE_BATCH && !s.has_several; i++)
      look_carefully(&s, t->quarantine.memory[i]);
  }
  if (!s.has_several) quarantine_each(look_quietly, &s);
  *place = s.place;
  return s.has_several ? 0 : s.object;
}
