#pragma once
// The probe's notices to the user.
#include <stdbool.h>

/// Writes one line to stderr with the prefix "lifeline: ", unless notices are off.
void notice_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// The last line, without its prefix, whether or not it was written; empty when there was none.
const char *notice_last(void);
/// Turns notices off or on.
void notice_set_quiet(bool on);
/// Remembers what standard error refers to; called when the process starts. There are no notices before.
void notice_prepare(void);
