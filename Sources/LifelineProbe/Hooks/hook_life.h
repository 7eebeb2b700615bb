#pragma once
// The hooks of allocation, deinit and deallocation.
#include <stddef.h>
#include <stdint.h>

#include "Backtraces/call_site.h"

typedef struct box { void *object, *value; } box;
void *hook_allocObject(uint64_t metadata, size_t size, size_t alignment_mask);
box hook_allocBox(const uint64_t *type);
void hook_deallocClassInstance(void *object, size_t size, size_t alignment_mask);
void hook_deallocObject(void *object, size_t size, size_t alignment_mask);
void hook_deallocUninitializedObject(void *object, size_t size, size_t alignment_mask);
/// Does what swift_slowDealloc does with the memory of an object that is not recorded.
void hook_give_back(void *object, size_t size, size_t alignment_mask);
void hook_slowDealloc(void *object, size_t size, size_t alignment_mask);
/// Records an allocation that the runtime has made, if objects of its class are recorded.
void hook_allocated(void *object, uint64_t metadata, size_t size, call_site at);
