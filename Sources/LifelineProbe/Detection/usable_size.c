// The usable size of a block, which the standard library uses to compute how many elements fit into an object.
#include <stddef.h>

#include "Detection/allocator.h"
#include "Detection/guard.h"

/// Takes the place of the allocator's function, which knows nothing of guard pages.
__attribute__((visibility("default"))) size_t malloc_usable_size(void *pointer) {
  size_t guarded = guard_contains((uint64_t)pointer) ? guard_usable_size((uint64_t)pointer) : 0;
  return guarded ? guarded : allocator_real_usable_size(pointer);
}
