#pragma once
// Where a hook was called from.
#include <stdint.h>

/// The place a hook was called from, as the hook's own frame shows it; valid while the hook runs.
///
///   at[0] the caller's rbp      at[1] the return address, whose own address orders frames
typedef const uint64_t *call_site;

/// For use in a hook: this makes it keep a frame pointer.
#define CALL_SITE() ((call_site)__builtin_frame_address(0))

/// For a hook that passes it to what it calls last: without a jump the frame stays. `musttail` is not affected.
#define KEEPS_FRAME __attribute__((disable_tail_calls))

static inline uint64_t call_site_slot(call_site at) { return (uint64_t)(at + 1); }
