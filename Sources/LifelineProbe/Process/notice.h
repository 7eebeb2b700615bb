#pragma once
// The probe's few words to the user.

/// Writes one line to stderr with the prefix "lifeline: ", unless the quiet option is set.
void notice_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
