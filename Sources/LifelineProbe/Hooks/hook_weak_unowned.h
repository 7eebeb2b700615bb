#pragma once
// The entry points of weak and unowned references, and their hooks.
#include "Hooks/hook_entry.h"

#define HOOK_WEAK_UNOWNED_ENTRIES(X)  \
  X(unownedRetain) X(unownedRelease) X(unownedRetain_n) X(unownedRelease_n) \
  X(unownedRetainStrong) X(unownedRetainStrongAndRelease) \
  X(nonatomic_unownedRetain) X(nonatomic_unownedRelease) X(nonatomic_unownedRetain_n) X(nonatomic_unownedRelease_n) \
  X(nonatomic_unownedRetainStrong) X(nonatomic_unownedRetainStrongAndRelease) \
  X(weakInit) X(weakAssign) X(weakLoadStrong) X(weakTakeStrong) X(weakDestroy) \
  X(weakCopyInit) X(weakTakeInit) X(weakCopyAssign) X(weakTakeAssign)

enum {
#define X(name) ENTRY_##name,
  HOOK_WEAK_UNOWNED_ENTRIES(X)
#undef X
  HOOK_WEAK_UNOWNED_COUNT
};

extern hook_entry hook_weak_unowned_table[HOOK_WEAK_UNOWNED_COUNT];
