#pragma once
// Names of classes from their metadata, without calling the runtime: its demangler allocates.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MetadataKind.def: heap metadata that is not a class.
enum {
  HEAP_LOCAL_VARIABLE = 0x400, HEAP_GENERIC_LOCAL_VARIABLE = 0x500, ERROR_OBJECT = 0x501, TASK = 0x502, JOB = 0x503
};

/// Writes Module.Outer.Inner<Argument> for class or value metadata; false when it cannot be read as such. What does not
/// fit is cut off, with an ellipsis.
bool class_name(uint64_t metadata, char *into, size_t limit, bool *is_cut);
/// The context descriptor of class metadata (its own or, for an artificial subclass, its superclass's); 0 when none.
uint64_t class_descriptor(uint64_t metadata);
/// Whether a context descriptor is that of a class.
bool class_describes_class(uint64_t descriptor);
/// Whether this is metadata of a class, as opposed to a box, a closure context or a value type.
bool class_is_class(uint64_t kind);
