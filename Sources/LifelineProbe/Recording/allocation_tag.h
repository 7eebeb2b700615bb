#pragma once
// What causes an event: a number that code sets in a task-local value, so that it is valid across suspensions and in
// the tasks that the code starts.
#include <stdint.h>

#include "Recording/thread_state.h"

extern const void *allocation_tag_key;  // the TaskLocal object whose value is the number, or NULL

uint32_t allocation_tag_look_up(void);

/// The number of the code that is running, 0 when it has none. To be asked outside of the recorder.
static inline uint32_t allocation_tag(void) {
  return __builtin_expect(allocation_tag_key != NULL, 0) ? allocation_tag_look_up() : 0;
}
/// Records the number for the previous event; nothing for 0.
void allocation_tag_write(thread_state *t, uint64_t object, uint32_t number, call_site at);
