#define _GNU_SOURCE
#include "Detection/finding.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Detection/repeated_call.h"
#include "lifeline_format.h"
#include "Objects/class.h"
#include "Process/notice.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Recording/thread.h"

static void stop_program(void) {
  the_process->header->stop_reason = LIFELINE_STOP_stoppedByFinding;
  the_process->header->state = LIFELINE_STATE_STOPPED;
  // The default action at once: the program's own handlers would run on a state that is known to be broken.
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(SIGABRT, &action, NULL);
  syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGABRT);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void finding_announce(const char *kind, uint32_t access, const class_info *c, uint64_t object, call_site at) {
  static const char *const verbs[] = {"an access to", "a message to", "a retain of",
                                      "a release of", "a read of", "a write to"};
  static uint32_t said;
  if (__atomic_fetch_add(&said, 1, __ATOMIC_RELAXED) == 0)
    notice_say("%s: %s %s at %#llx", kind, verbs[access < 6 ? access : 0],
               c && c->id && c->name ? c->name : "something that is not an object", (unsigned long long)object);
  if (!the_options.stop_on_use_after_free || !the_process->header) return;
  // Unoptimized code retains a freed object before it calls a method on it. The retain does no harm and the call says
  // more, so the program is stopped at this thread's next access to a freed object.
  thread_state *t = thread_current;
  if (access == LIFELINE_ACCESS_retain && c && t && t->retained_zombie != object) {
    t->retained_zombie = object;
    return;
  }
  // It retains an object and releases it twice where the source has one Unmanaged.release(): the second release shows
  // that a reference was given back, not used.
  if (access == LIFELINE_ACCESS_release && at && t && t->retained_zombie == object && call_is_repeated(at)) return;
  stop_program();
}
