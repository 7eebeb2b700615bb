#pragma once
#include <stddef.h>
#include <sys/types.h>

/// Starts a program as the leader of its own session, with empty input and its output in the two files.
///
/// Returns its process ID, or a negative errno. `folder` may be null. A program without a slash is looked up in PATH.
pid_t test_process_start(const char *program, char *const arguments[], char *const environment[], const char *folder,
                         const char *output, const char *errors);

/// Opens a pseudoterminal: returns the descriptor of the user's end and writes the path of the program's end into
/// `path`, which has `size` bytes. Returns −1 and sets errno on failure.
int test_terminal_open(char *path, size_t size);
