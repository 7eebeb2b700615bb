#define _GNU_SOURCE
#include "Recording/allocation_tag.h"

#include <dlfcn.h>

#include "lifeline_probe.h"
#include "Recording/event.h"

const void *allocation_tag_key;
static const void *(*value_get)(const void *key);

uint32_t allocation_tag_look_up(void) {
  // Gives the address of the innermost binding's value, in the task or, outside of tasks, of the thread.
  const uint32_t *value = value_get(allocation_tag_key);
  return value ? *value : 0;
}

void allocation_tag_write(thread_state *t, uint64_t object, uint32_t number, call_site at) {
  uint64_t argument = number;
  if (number) event_write(t, LIFELINE_EVENT_cause, object, EVENT_NO_COUNT, 0, at, &argument, 1);
}

__attribute__((visibility("default"))) bool lifeline_attribute(const void *key) {
  value_get = (const void *(*)(const void *))dlsym(RTLD_DEFAULT, "swift_task_localValueGet");
  if (!value_get) return false;
  __atomic_store_n(&allocation_tag_key, key, __ATOMIC_RELEASE);
  return true;
}
