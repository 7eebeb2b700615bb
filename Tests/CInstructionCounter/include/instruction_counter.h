#pragma once
#include <stdint.h>

/// Runs a program to its end and counts the user-mode instructions of all its threads. After `limit` seconds the
/// program is ended. With `is_refused` no counter is requested, as if the kernel had none.
///
/// Returns -1 if the kernel or the machine cannot count them (the program is not started then), and -2 if the program
/// cannot be run or does not exit with 0.
int64_t instruction_count(char *const arguments[], char *const environment[], unsigned limit, int is_refused);
