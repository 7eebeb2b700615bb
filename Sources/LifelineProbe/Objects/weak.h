#pragma once
// Weak references lead to a side table, which outlives the object. Its memory may be freed and its
// metadata gone when the reference is read, so side tables of recorded objects are remembered by address.
#include <stdbool.h>
#include <stdint.h>

#include "Objects/object.h"

/// The recorded object that a weak reference's word leads to, or NULL.
heap_object *weak_target(uint64_t side_table);
/// Remembers the side table of a recorded object, in place of the oldest of eight neighbors.
void weak_remember(uint64_t side_table);
/// The side table belongs to an object that is not recorded: an earlier one at this address is gone.
void weak_forget(uint64_t side_table);
