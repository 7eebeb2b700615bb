#pragma once
// Where stacks are.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bounds of the mapping that contains an address; false when there is none.
bool stack_mapping(uint64_t address, uint64_t *low, uint64_t *high);
/// Whether all of a mapping's pages [low, high) are there, as far as the kernel tells; `scratch` has a byte for each.
bool stack_still_mapped(uint64_t low, uint64_t high, void *scratch, size_t size);
/// Bounds of the calling thread's own stack, as far down as it is known to reach; both 0 when they are not known.
/// `here` is a stack pointer of the program, which may lie on another stack.
void stack_bounds(uint64_t here, uint64_t *low, uint64_t *high);
/// Whether an address is on the main thread's stack.
bool stack_is_main(uint64_t address);
/// Whether an address below `low` belongs to the stack that ends at `high`; then `low` is brought up to date.
bool stack_has_grown(uint64_t here, uint64_t *low, uint64_t high);
