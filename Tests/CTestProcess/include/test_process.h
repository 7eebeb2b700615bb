#pragma once
#include <stddef.h>
#include <sys/types.h>

/// Starts a program as the leader of a session of its own, with empty input and its output in the two files.
///
/// Returns its process number, or minus an errno. `folder` may be null. A program without a slash is looked for in
/// PATH.
pid_t test_process_start(const char *program, char *const arguments[], char *const environment[], const char *folder,
                         const char *output, const char *errors);

/// Makes a terminal: gives the descriptor of the end at which a person would sit, and writes the path of the other one
/// into `path`, which has `size` bytes. −1 and errno when there is none.
int test_terminal_open(char *path, size_t size);
