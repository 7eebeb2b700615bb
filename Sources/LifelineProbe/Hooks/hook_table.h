#pragma once
// The entry points of retain, release, allocation and deallocation, and their hooks.
#include "Hooks/hook_object.h"

extern hook_entry hook_object_table[HOOK_OBJECT_COUNT];
