#pragma once
// Classes: which objects are recorded, decided once per metadata address, and then a lookup.
//
// Hooks check `class_words` first: one load and one comparison answer most questions.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct class_info {
  uint64_t metadata;
  uint32_t id;             // record id, 0 when the class is not recorded
  uint32_t flags;          // LIFELINE_CLASS_*
  uint32_t instance_size;  // bytes, 0 when unknown
  uint32_t image;
  uint64_t superclass;
  const char *name;
  uint64_t zombie_of;      // the class's own metadata when this is that of its zombies, 0 once that is gone
  bool is_zombie;
  bool is_counted;         // its retains, releases, weak and unowned references are recorded
} class_info;

enum { CLASS_SLOTS = 65536, CLASS_WORD_BITS = 11 };

extern class_info *class_slots[CLASS_SLOTS];  // hash table with linear probing; entries are never removed
extern const class_info class_ignored;        // what every class that is not recorded maps to
extern const class_info class_stray;          // what an address maps to that cannot be metadata

/// How objects of a class are recorded.
enum class_kind {
  CLASS_UNRECORDED,
  CLASS_UNCOUNTED,  // recorded, except its references
  CLASS_COUNTED,
  CLASS_KINDS,      // from here on: the word is another class's
};

/// Words of metadata address and kind, in the bits that an address leaves free, by a hash of the address.
extern uint64_t class_words[1 << CLASS_WORD_BITS];

static inline uint64_t *class_word(uint64_t metadata) {
  return &class_words[(metadata >> 3) * 0x9E3779B97F4A7C15ull >> (64 - CLASS_WORD_BITS)];
}

/// The kind of a metadata address; CLASS_KINDS or more where a lookup is needed.
static inline uint64_t class_kind_at_once(uint64_t metadata) {
  return __atomic_load_n(class_word(metadata), __ATOMIC_RELAXED) ^ metadata;
}

static inline uint32_t class_hash(uint64_t metadata) {
  return (uint32_t)((metadata >> 3) * 0x9E3779B1u >> 16) & (CLASS_SLOTS - 1);
}

/// Looks at the metadata, decides, and remembers.
const class_info *class_decide(uint64_t metadata);
/// The class of a metadata address, whose kind then needs no lookup.
const class_info *class_meet(uint64_t metadata);
/// Forgets the kind of a metadata address, so that it needs a lookup again.
void class_unmeet(uint64_t metadata);
/// Makes metadata known as that of a class's zombies; false when the table is full.
bool class_add_zombie(uint64_t metadata, const class_info *original);
/// Forgets the classes whose metadata lay in [first, end): the image is gone, and other metadata may lie there next.
void class_forget(uint64_t first, uint64_t end);
/// Decides again about all known classes, as the options of a further recording have it.
void class_decide_again(void);
/// Writes all recorded classes to the trace of a forked child, or of a further recording.
void class_record_all(void);

/// The class of a metadata address if that is found at once, or NULL: for hooks, which need no frame for it.
static inline const class_info *class_at_once(uint64_t metadata) {
  const class_info *c = __atomic_load_n(&class_slots[class_hash(metadata)], __ATOMIC_ACQUIRE);
  return c && c->metadata == metadata ? c : NULL;
}

/// The class of a metadata address; its id is 0 when objects of it are not recorded.
static inline const class_info *class_of(uint64_t metadata) {
  uint32_t slot = class_hash(metadata);
  for (;;) {
    const class_info *c = __atomic_load_n(&class_slots[slot], __ATOMIC_ACQUIRE);
    if (!c) return class_decide(metadata);
    if (c->metadata == metadata) return c;
    slot = (slot + 1) & (CLASS_SLOTS - 1);
  }
}
