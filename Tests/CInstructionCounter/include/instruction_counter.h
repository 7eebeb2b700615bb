#pragma once
#include <stdint.h>

/// Runs a program to its end and counts the instructions that it and its threads execute in user mode. After `limit`
/// seconds the program is ended. With `is_refused` no counter is asked for, as if the kernel had none.
///
/// -1 when the kernel or the machine cannot count them (the program is not started then), -2 when the program cannot be
/// run or does not exit with 0.
int64_t instruction_count(char *const arguments[], char *const environment[], unsigned limit, int is_refused);
