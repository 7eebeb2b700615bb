#pragma once
// What the hooks of retain and release and those of allocation and deallocation share.
#include "Backtraces/backtrace.h"
#include "Hooks/class.h"
#include "Hooks/hook.h"
#include "Hooks/object.h"
#include "Recording/thread.h"

#define ORIGINAL(index, type) ((type)hook_object_table[index].original)
enum {
#define X(name, access) ENTRY_##name,
  HOOK_OBJECT_ENTRIES(X)
#undef X
};

typedef void *(*retain_function)(void *);
typedef void *(*retain_n_function)(void *, uint32_t);
typedef void (*release_function)(void *);
typedef void (*release_n_function)(void *, uint32_t);

typedef void *(*alloc_function)(uint64_t metadata, size_t size, size_t alignment_mask);
typedef void (*dealloc_function)(void *object, size_t size, size_t alignment_mask);

static inline bool is_object(const void *pointer) { return (intptr_t)pointer > 0; }
static inline const class_info *class_of_object(const void *pointer) { return class_of(object_at(pointer)->metadata); }

/// Objects that the compiler promoted to the stack, and static ones, have no heap life to record.
static inline bool on_stack(thread_state *t, const void *object, call_site at) {
  return backtrace_is_on_stack(&t->stack, (uint64_t)object, at);
}

/// Whether swift_deallocClassInstance and swift_deallocObject come to swift_slowDealloc and nothing else.
static inline __attribute__((always_inline)) bool hook_is_freed_unrecorded(const void *pointer) {
  return is_object(pointer) && class_kind_at_once(object_at(pointer)->metadata) == CLASS_UNRECORDED &&
         object_is_freed_now(object_at(pointer));
}

/// Allocation and deallocation; their table is the one of retain and release.
typedef struct box { void *object, *value; } box;
void *hook_allocObject(uint64_t metadata, size_t size, size_t alignment_mask);
box hook_allocBox(const uint64_t *type);
void hook_deallocClassInstance(void *object, size_t size, size_t alignment_mask);
void hook_deallocObject(void *object, size_t size, size_t alignment_mask);
void hook_deallocUninitializedObject(void *object, size_t size, size_t alignment_mask);
/// Does what swift_slowDealloc does with the memory of an object that is not recorded.
void hook_give_back(void *object, size_t size, size_t alignment_mask);
void hook_slowDealloc(void *object, size_t size, size_t alignment_mask);
