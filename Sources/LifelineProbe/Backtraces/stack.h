#pragma once
// Where stacks lie.
#include <stdbool.h>
#include <stdint.h>

/// Bounds of the mapping that holds an address; false when there is none.
bool stack_mapping(uint64_t address, uint64_t *low, uint64_t *high);
/// Bounds of the calling thread's stack, as far down as it is used now; both 0 when they are not known.
void stack_bounds(uint64_t *low, uint64_t *high);
