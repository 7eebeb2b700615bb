#pragma once
// Shared by the hooks of retain and release and those of allocation and deallocation.
#include "Backtraces/backtrace.h"
#include "Hooks/hook_entry.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Recording/thread.h"

/// The entry points, each with its effect on the object: retain, release, or neither.
#define HOOK_OBJECT_ENTRIES(X)     \
  X(retain, RETAINS) X(release, RELEASES) X(retain_n, RETAINS) X(release_n, RELEASES) X(tryRetain, RETAINS) \
  X(nonatomic_retain, RETAINS) X(nonatomic_release, RELEASES) \
  X(nonatomic_retain_n, RETAINS) X(nonatomic_release_n, RELEASES) \
  X(allocObject, NEITHER) X(bufferAllocate, NEITHER) X(allocBox, NEITHER) \
  X(deallocClassInstance, RELEASES) X(deallocObject, RELEASES) \
  X(deallocUninitializedObject, RELEASES) X(slowDealloc, NEITHER)
enum {
#define X(name, access) ENTRY_##name,
  HOOK_OBJECT_ENTRIES(X)
#undef X
  HOOK_OBJECT_COUNT
};

/// What does the work of each entry point, after its detour.
extern void *hook_object_originals[HOOK_OBJECT_COUNT];
#define ORIGINAL(index, type) ((type)hook_object_originals[index])

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

/// Calls an object's destructor after the final release; NULL when the runtime's own must be used.
extern void (*hook_release_dealloc)(void *object);
/// The same for an object that is not recorded: its deinit is not a point of an exploration.
extern void (*hook_plain_dealloc)(void *object);

/// Reports a release of more references than there are, of an object whose retains and releases are not recorded.
void hook_over_released(void *pointer, call_site at);
/// Records a retain or release of something whose first word cannot be metadata. The runtime decides what happens.
void hook_stray(void *pointer, uint32_t access, call_site at);

void *hook_retain(void *pointer);
void *hook_nonatomic_retain(void *pointer);
void *hook_retain_n(void *pointer, uint32_t n);
void *hook_nonatomic_retain_n(void *pointer, uint32_t n);
void *hook_tryRetain(void *pointer);
void hook_release(void *pointer);
void hook_nonatomic_release(void *pointer);
void hook_release_n(void *pointer, uint32_t n);
void hook_nonatomic_release_n(void *pointer, uint32_t n);
