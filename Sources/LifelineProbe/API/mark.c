#include <errno.h>

#include "lifeline_probe.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "TraceFile/record.h"

__attribute__((visibility("default"))) void lifeline_mark(const char *text) {
  int saved = errno;
  call_site at = CALL_SITE();
  thread_state *t = text ? thread_enter(call_site_slot(at)) : NULL;
  if (t) {
    uint64_t id = record_new_string(text);
    event_write(t, LIFELINE_EVENT_mark, 0, EVENT_NO_COUNT, 0, at, &id, 1);
    thread_leave(t);
  }
  errno = saved;
}
