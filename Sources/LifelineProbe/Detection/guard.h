#pragma once
// Guard pages: objects of chosen classes live on pages of their own, which become inaccessible when they are freed.
// Reading or writing a field then faults at that instruction.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lifeline_examine.h"

#define GUARD_ARENA (16ull << 30)  // bytes of address space; memory is used for live objects only
#define GUARD_NOWHERE (1ull << 63)

extern uint64_t guard_arena;
extern uint64_t guard_size;  // bytes of the arena, ever fewer
extern lifeline_guard_owner *guard_owners;  // by page number
extern uint64_t guard_used_pages;           // so far, never fewer

/// Reserves the arena and handles SIGSEGV and SIGBUS, passing on faults that are not ours; false when impossible.
/// `access_at` returns the access that a hook at a program counter was called for, 0 when there is no hook.
bool guard_prepare(uint32_t (*access_at)(uint64_t pc));

static inline bool guard_contains(uint64_t address) { return address - guard_arena < guard_size; }

/// An object with the header that the runtime makes, or NULL when there is no room or the kernel would soon refuse
/// mappings.
void *guard_allocate(uint64_t metadata, size_t size);
/// Makes a freed object's pages inaccessible; false when it is not a guarded object.
bool guard_free(uint64_t object);
/// Gives the unused address space back, for a program that limits its own; few objects are guarded from then on.
void guard_shrink(void);
/// The usable size of a guarded object, 0 if the memory is not one.
size_t guard_usable_size(uint64_t object);
/// The address of the table of pages' owners, for an examination from outside; and the number of pages in use.
uint64_t guard_table(uint64_t *pages);
