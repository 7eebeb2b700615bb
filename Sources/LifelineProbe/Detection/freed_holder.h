#pragma once
// What a freed object still refers to. Optimized code reads a property of a freed object without a call that could be
// noticed, and retains what the property referred to: an array or a closure that was freed with the object.
#include <stdint.h>

/// The only freed object in quarantine with a reference to `address`, which is not an object, and where in it that is;
/// 0 if there is none, or if several have one.
uint64_t freed_holder(uint64_t address, uint64_t *place);
