#pragma once
// System call filters (seccomp), which may kill a program for a call that only the probe makes.
#include <stdbool.h>

/// Notes, before the program runs, whether its filters are those that `lifeline` runs under as well, `inherited` of
/// them.
void filters_note(unsigned inherited);

/// Whether the recorder may make system calls that a filter might not expect: there is no filter, or only one under
/// which `lifeline` made them, too.
bool filters_are_known(void);
