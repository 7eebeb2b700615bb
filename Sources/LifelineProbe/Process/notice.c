#include "Process/notice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static bool quiet;

void notice_set_quiet(bool on) { quiet = on; }

// Formatting goes to the stack and out with one write: stderr's FILE lock may be the program's.
void notice_say(const char *format, ...) {
  if (quiet) return;
  int saved = errno;
  char line[640];
  int length = snprintf(line, sizeof line - 1, "lifeline: ");
  va_list arguments;
  va_start(arguments, format);
  int rest = vsnprintf(line + length, sizeof line - 1 - (size_t)length, format, arguments);
  va_end(arguments);
  length += rest < 0 ? 0 : rest;
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  line[length++] = '\n';
  ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
  (void)ignored;
  errno = saved;
}
