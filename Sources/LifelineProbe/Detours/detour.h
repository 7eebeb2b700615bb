#pragma once
// Entry detours: the first instructions of a function become a jump to a hook.
//
//   function:  jmp near stub            original: the moved instructions
//   stub:      jmp *hook                          jmp function + covered
#include <stdbool.h>

/// Reserves the page of stubs within ±2 GiB of `address`; false when there is no room.
bool detour_prepare(const void *address);
/// Redirects calls of `function` to `hook`; `*original` then does what the function did, permanently.
/// False when its first instructions are unknown or the kernel refuses; nothing has changed then.
bool detour_install(void *function, void *hook, void **original);
/// Redirects calls of a detoured function to another hook, while threads may run; false when the kernel refuses.
bool detour_lead(void *function, const void *hook);
/// Why a detour could not be installed.
enum detour_obstacle { DETOUR_NO_OBSTACLE, DETOUR_UNKNOWN_CODE, DETOUR_BREAKPOINT, DETOUR_FORBIDDEN, DETOUR_NO_ROOM };
/// The first reason why a detour could not be installed.
enum detour_obstacle detour_obstacle(void);
/// Restores the first instructions of every function; returns how many could not be restored, for example because a
/// debugger changed them. Stubs and relocated instructions stay, for threads that are still inside them.
unsigned detour_remove_all(void);
/// The stubs are complete: makes their page executable and read-only.
void detour_finish(void);
