#pragma once
// Where the Swift runtime's entry points are in this process.
#include <stdbool.h>
#include <stdint.h>

typedef struct runtime {
  uint32_t method;      // LIFELINE_METHOD_*, 0 when there is no Swift runtime
  char path[1024];      // of the image that contains it
} runtime;

extern runtime the_runtime;

/// Finds the runtime; false when the process has none that can be found.
bool runtime_find(void);
/// Address of a function of the runtime, or NULL.
void *runtime_symbol(const char *name);
/// Address of a function that the library of `inside` does not export, from its file's symbol table; NULL where that
/// has none.
void *runtime_local_symbol(const void *inside, const char *name);
/// The runtime's internal function that calls an object's destructor (`_swift_release_dealloc`), or NULL.
void *runtime_release_dealloc(void);
