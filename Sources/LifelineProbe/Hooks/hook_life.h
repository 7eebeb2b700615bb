#pragma once
// The hooks of allocation, deinit and deallocation.
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/call_site.h"
#include "Detection/quarantine.h"
#include "Detection/zombie.h"
#include "Hooks/hook_object.h"
#include "Recording/memory_returns.h"
#include "Recording/thread_state.h"

typedef struct box { void *object, *value; } box;
void *hook_allocObject(uint64_t metadata, size_t size, size_t alignment_mask);
void *hook_bufferAllocate(uint64_t metadata, size_t size, size_t alignment_mask);
box hook_allocBox(const uint64_t *type);
void hook_deallocClassInstance(void *object, size_t size, size_t alignment_mask);
void hook_deallocObject(void *object, size_t size, size_t alignment_mask);
void hook_deallocUninitializedObject(void *object, size_t size, size_t alignment_mask);
/// Does what swift_slowDealloc does with the memory of an object that is not recorded.
void hook_give_back(void *object, size_t size, size_t alignment_mask);
/// What swift_deallocObject and swift_deallocClassInstance do to an object that is not recorded, without the detours of
/// what they call.
void hook_end_object(void *object, size_t size, size_t alignment_mask);
void hook_end_class_instance(void *object, size_t size, size_t alignment_mask);
void hook_slowDealloc(void *object, size_t size, size_t alignment_mask);
/// Returns the memory of freed objects that were kept as zombies.
void hook_let_freed_go(void);
/// Records an allocation that the runtime has made, if objects of its class are recorded; returns whether it is.
bool hook_allocated(void *object, uint64_t metadata, size_t size, call_site at);

/// Puts the memory of a freed object, whose free thread `t` has recorded, into the quarantine; false when it is to be
/// freed at once.
static inline __attribute__((always_inline)) bool hook_keep_freed(thread_state *t, void *pointer, size_t size,
                                                                  size_t alignment_mask) {
  if (!t || !zombie_wanted()) return false;
  if (zombie_mark((uint64_t)pointer)) {
    // Zombies are recognized by their metadata, and there may be many of them.
    if (sample_is_remembered && sample_may_have(pointer)) sample_forget((uint64_t)pointer);
    quarantine_keep(&t->quarantine, (quarantined){pointer, size, alignment_mask},
                    ORIGINAL(ENTRY_slowDealloc, dealloc_function));
    return true;
  }
  memory_is_returning();
  return false;
}
