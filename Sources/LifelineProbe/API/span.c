// Spans of work that source code names: phases, scopes, the posting of a notification.
#include <errno.h>

#include "lifeline_probe.h"
#include "Objects/class.h"
#include "Objects/object.h"
#include "Recording/event.h"
#include "Recording/thread.h"
#include "TraceFile/record.h"

#define EXPORTED __attribute__((visibility("default")))
enum { BEGIN = 1, END = 2 };

static void write_span(uint32_t what, uint64_t number, const char *text, call_site at) {
  int saved = errno;
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t arguments[3] = {what, number, text ? record_new_string(text) : 0};
    event_write(t, LIFELINE_EVENT_span, 0, EVENT_NO_COUNT, 0, at, arguments, 3);
    thread_leave(t);
  }
  errno = saved;
}

EXPORTED uint64_t lifeline_span_begin(uint32_t sort, const char *text) {
  static uint64_t last;
  if (!process_recording()) return 0;
  uint64_t number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  write_span(BEGIN | sort << 8, number, text, CALL_SITE());
  return number;
}

KEEPS_FRAME EXPORTED void lifeline_span_end(uint32_t sort, uint64_t number) {
  if (number) write_span(END | sort << 8, number, NULL, CALL_SITE());
}

EXPORTED void lifeline_hold(const void *object, uint32_t role, uint64_t span, bool begins) {
  if (!span || (intptr_t)object <= 4096 || !class_of(object_at(object)->metadata)->id) return;
  int saved = errno;
  call_site at = CALL_SITE();
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t arguments[2] = {(begins ? BEGIN : END) | role << 8, span};
    event_write(t, LIFELINE_EVENT_hold, (uint64_t)object_at(object), EVENT_NO_COUNT, 0, at, arguments, 2);
    thread_leave(t);
  }
  errno = saved;
}

EXPORTED void lifeline_pause(bool pauses) {
  thread_state *t = thread_current;
  if (pauses) {
    t = thread_enter((uint64_t)__builtin_frame_address(0));
    if (t) t->busy = THREAD_PAUSED;
  } else if (t && t->busy == THREAD_PAUSED) {
    thread_leave(t);
  }
}
