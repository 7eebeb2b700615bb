#pragma once

/// Prefetches the cache line at an address that will soon be written. Defined here because Swift has no prefetch.
static inline void lifeline_prefetch(const void *address) { __builtin_prefetch(address, 1); }
