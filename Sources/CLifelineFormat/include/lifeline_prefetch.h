#pragma once

/// Has the processor fetch the cache line at an address that will be written soon. Here because Swift has no such
/// thing.
static inline void lifeline_prefetch(const void *address) { __builtin_prefetch(address, 1); }
