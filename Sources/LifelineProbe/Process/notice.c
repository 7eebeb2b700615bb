#include "Process/notice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "Process/aside.h"

static bool quiet;

void notice_set_quiet(bool on) { quiet = on; }

typedef struct sentence {
  const char *format;
  va_list arguments;
} sentence;

// Out with one write: stderr's FILE lock may be the program's.
static void say(void *what) {
  sentence *s = what;
  char line[640] = "lifeline: ";
  int length = (int)strlen(line);
  int rest = vsnprintf(line + length, sizeof line - 1 - (size_t)length, s->format, s->arguments);
  length += rest < 0 ? 0 : rest;
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  line[length++] = '\n';
  ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
  (void)ignored;
}

void notice_say(const char *format, ...) {
  if (quiet) return;
  int saved = errno;
  sentence s = {.format = format};
  va_start(s.arguments, format);
  aside(say, &s);
  va_end(s.arguments);
  errno = saved;
}
