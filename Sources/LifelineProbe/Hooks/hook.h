#pragma once
// Hooks: what runs instead of the runtime's entry points.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/call_site.h"

/// Installs all detours; false when retain, release or allocation could not be detoured. There is no trace yet,
/// so the results are kept for hook_record_all.
bool hook_install(void);
/// Writes the state of every detour to the trace.
void hook_record_all(void);
/// Puts the hooks of an exploration before the others, or takes them away, while threads run; false when the kernel
/// refuses. Detours of what is no part of the runtime stay once they are there.
bool hook_explore(bool on);
/// Exercises the entry points on a made-up object; false unless every hook saw exactly what was done.
bool hook_self_test(void);

/// The entry points, each with what a call of it does to the object: retains, releases, or neither.
#define HOOK_OBJECT_ENTRIES(X)     \
  X(retain, RETAINS) X(release, RELEASES) X(retain_n, RETAINS) X(release_n, RELEASES) X(tryRetain, RETAINS) \
  X(nonatomic_retain, RETAINS) X(nonatomic_release, RELEASES) \
  X(nonatomic_retain_n, RETAINS) X(nonatomic_release_n, RELEASES) \
  X(allocObject, NEITHER) X(allocBox, NEITHER) X(deallocClassInstance, RELEASES) X(deallocObject, RELEASES) \
  X(deallocUninitializedObject, RELEASES) X(slowDealloc, NEITHER)
#define HOOK_WEAK_UNOWNED_ENTRIES(X)  \
  X(unownedRetain) X(unownedRelease) X(unownedRetain_n) X(unownedRelease_n) \
  X(unownedRetainStrong) X(unownedRetainStrongAndRelease) \
  X(nonatomic_unownedRetain) X(nonatomic_unownedRelease) X(nonatomic_unownedRetain_n) X(nonatomic_unownedRelease_n) \
  X(nonatomic_unownedRetainStrong) X(nonatomic_unownedRetainStrongAndRelease) \
  X(weakInit) X(weakAssign) X(weakLoadStrong) X(weakTakeStrong) X(weakDestroy) \
  X(weakCopyInit) X(weakTakeInit) X(weakCopyAssign) X(weakTakeAssign)

/// A call that leaves no frame behind, and a function that is never part of the hook that calls it.
#define TAIL_CALL __attribute__((musttail)) return
#define OUT_OF_LINE __attribute__((noinline)) static

typedef struct hook_entry {
  const char *name;   // without "swift_"
  void *hook;         // of this recording, or NULL when the entry point is left alone
  void *original;     // what does the work of the function, after the detour
  uint32_t status;    // LIFELINE_DETOUR_*
  uint32_t access;    // LIFELINE_ACCESS_* that a call of it is, or 0
  void *whole;        // the hook that records everything
} hook_entry;

extern hook_entry hook_object_table[], hook_weak_unowned_table[];
extern const unsigned hook_object_count, hook_weak_unowned_count;

/// The access that the hook of an object whose code holds `pc` was called for, or 0.
uint32_t hook_access_at(uint64_t pc);

/// What replaces a hook at depth "lives"; NULL when its entry point is left alone.
void *hook_at_lives(const char *name, void *hook, bool zombies);

/// What decides before a hook whether the object is in the sample; the hook itself where nothing does.
void *hook_at_sample(const char *name, void *hook);
/// Records an allocation that the runtime has made, if objects of its class are recorded.
void hook_allocated(void *object, uint64_t metadata, size_t size, call_site at);

/// Calls an object's destructor after the final release; NULL when the runtime's own must be used.
extern void (*hook_release_dealloc)(void *object);
/// The same for an object that is not recorded: its deinit is no point of an exploration.
extern void (*hook_plain_dealloc)(void *object);
