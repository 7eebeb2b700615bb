#define _GNU_SOURCE
#include "Process/notice.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <string.h>
#include <unistd.h>

#include "Process/aside.h"

static bool quiet;
static char last[640];

// What descriptor 2 referred to when the process started. A program may close it and get its number for a file of its
// own, which must not receive our notices.
static bool has_stderr;
static dev_t stderr_device;
static ino_t stderr_file;

void notice_prepare(void) {
  struct stat status;
  has_stderr = fstat(STDERR_FILENO, &status) == 0;
  stderr_device = status.st_dev;
  stderr_file = status.st_ino;
}

static bool is_still_stderr(void) {
  struct stat status;
  return has_stderr && fstat(STDERR_FILENO, &status) == 0 && status.st_dev == stderr_device &&
         status.st_ino == stderr_file;
}

void notice_set_quiet(bool on) { quiet = on; }

const char *notice_last(void) { return last; }

/// Writes without raising SIGPIPE (no reader) or SIGXFSZ (file size limit), which the program must not see.
static void write_quietly(const char *line, size_t length) {
  sigset_t held, before, pending, ours;
  sigemptyset(&held);
  sigaddset(&held, SIGPIPE);
  sigaddset(&held, SIGXFSZ);
  if (sigpending(&pending) != 0 || sigprocmask(SIG_BLOCK, &held, &before) != 0) return;
  ssize_t written = write(STDERR_FILENO, line, length);
  int signal = written >= 0 ? 0 : errno == EPIPE ? SIGPIPE : errno == EFBIG ? SIGXFSZ : 0;
  sigemptyset(&ours);
  if (signal && !sigismember(&pending, signal) && sigaddset(&ours, signal) == 0)
    sigtimedwait(&ours, NULL, &(struct timespec){0, 0});
  sigprocmask(SIG_SETMASK, &before, NULL);
}

typedef struct sentence {
  const char *format;
  va_list arguments;
} sentence;

// One write without stdio: the program may hold the lock of stderr's FILE.
static void say(void *what) {
  sentence *s = what;
  char line[640] = "lifeline: ";
  int length = (int)strlen(line);
  int rest = vsnprintf(line + length, sizeof line - 1 - (size_t)length, s->format, s->arguments);
  length += rest < 0 ? 0 : rest;
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  line[length] = 0;
  memcpy(last, line + strlen("lifeline: "), (size_t)length + 1 - strlen("lifeline: "));
  line[length++] = '\n';
  if (!quiet && is_still_stderr()) write_quietly(line, (size_t)length);
}

void notice_say(const char *format, ...) {
  int saved = errno;
  sentence s = {.format = format};
  va_start(s.arguments, format);
  aside(say, &s);
  va_end(s.arguments);
  errno = saved;
}
