#include "Hooks/hook_table.h"

#include "Hooks/hook_life.h"
#include "lifeline_format.h"

enum { NEITHER = 0, RETAINS = LIFELINE_ACCESS_retain, RELEASES = LIFELINE_ACCESS_release };

hook_entry hook_object_table[HOOK_OBJECT_COUNT] = {
#define X(name, access) {#name, (void *)hook_##name, &hook_object_originals[ENTRY_##name], 0, access, 0},
    HOOK_OBJECT_ENTRIES(X)
#undef X
};
