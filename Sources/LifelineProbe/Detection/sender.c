#include "Detection/sender.h"

#include "lifeline_format.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Process/memory.h"

enum {
  SEARCHES = 64,       // of a process; a program that goes on after so many is not delayed again
  STACK_WORDS = 1024,  // looked at
  WORDS = 512,         // looked at in an object
  PIECE = 64,          // words that are copied at once
  REMEMBERED = 16,     // addresses that were looked at, as one is often on a stack several times
};

typedef struct search {
  uint64_t freed;
  const class_info *class;  // of the objects found, NULL before the first
  uint64_t object, place;
  bool has_several;         // objects with it in the same place
  bool is_ambiguous;        // different places have it
  uint64_t seen[REMEMBERED];
  uint32_t next;
} search;

/// The class of metadata that has been met; class_of() would take any address for metadata.
static const class_info *class_met(uint64_t metadata) {
  for (uint32_t slot = class_hash(metadata);; slot = (slot + 1) & (CLASS_SLOTS - 1)) {
    const class_info *c = __atomic_load_n(&class_slots[slot], __ATOMIC_ACQUIRE);
    if (!c || c->metadata == metadata) return c;
  }
}

static bool is_new(search *s, uint64_t word) {
  for (uint32_t i = 0; i < REMEMBERED; i++)
    if (s->seen[i] == word) return false;
  s->seen[s->next++ % REMEMBERED] = word;
  return true;
}

static void found(search *s, const class_info *c, uint64_t object, uint64_t place) {
  if (!s->class) {
    s->class = c;
    s->object = object;
    s->place = place;
  } else if (c != s->class || place != s->place) s->is_ambiguous = true;
  else if (object != s->object) s->has_several = true;
}

/// Looks at a word that may be the address of an object that has the freed one's address.
static void look(search *s, uint64_t word) {
  uint64_t words[PIECE];
  if (word < 4096 || (word & 15) || word >> 47 || word == s->freed || !is_new(s, word)) return;
  if (!memory_read((const void *)word, words, 8)) return;
  const class_info *c = class_met(words[0]);
  if (!c || !c->id) return;
  size_t count = c->instance_size / 8;
  if (count > WORDS) count = WORDS;
  for (size_t first = 2; first < count; first += PIECE) {
    size_t piece = count - first < PIECE ? count - first : PIECE;
    if (!memory_read((const uint64_t *)word + first, words, 8 * piece)) return;
    for (size_t i = 0; i < piece; i++)
      if ((uint64_t)object_at((const void *)words[i]) == s->freed) found(s, c, word, 8 * (uint64_t)(first + i));
  }
}

static bool may_search(void) {
  static uint32_t searches;
  return __atomic_fetch_add(&searches, 1, __ATOMIC_RELAXED) < SEARCHES;
}

void sender_find(uint64_t object, uint64_t from, const uint64_t *registers, size_t count, uint64_t arguments[3]) {
  if (!may_search()) return;
  search s = {.freed = object};
  for (size_t i = 0; i < count; i++) look(&s, registers[i]);
  uint64_t words[PIECE];
  // A stack may end before the next piece does.
  for (size_t first = 0, piece = PIECE; first < STACK_WORDS && piece > 0 && !s.is_ambiguous;) {
    if (!memory_read((const uint64_t *)from + first, words, 8 * piece)) {
      piece /= 2;
      continue;
    }
    for (size_t i = 0; i < piece; i++) look(&s, words[i]);
    first += piece;
  }
  if (!s.class || s.is_ambiguous) return;
  arguments[0] |= s.place << 16 | (s.has_several ? LIFELINE_SENDER_IS_ONE_OF_SEVERAL : 0);
  arguments[2] = s.object + s.place;
}

__attribute__((noinline)) void sender_find_here(uint64_t object, uint64_t arguments[3]) {
  __builtin_unwind_init();  // the registers that a call keeps are then on the stack
  uint64_t here = 0;
  sender_find(object, (uint64_t)&here & ~7ull, NULL, 0, arguments);
  __asm__ volatile("" : : "r"(&here) : "memory");
}
