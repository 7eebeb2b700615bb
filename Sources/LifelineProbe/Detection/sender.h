#pragma once
// Who used a freed object: an object near the code that did, on its stack or in its registers, in whose memory the
// freed one's address is. The report names the property there instead of guessing it. If different properties have that
// address, any of them may have been used, and none is named.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds what is known to the arguments of an access to `object`. The calling thread's stack is searched from `from` on;
/// `registers` are the `count` registers of the code, if they are not on the stack.
void sender_find(uint64_t object, uint64_t from, const uint64_t *registers, size_t count, uint64_t arguments[3]);
/// The same for a hook: its own frames have what the code had in registers.
void sender_find_here(uint64_t object, uint64_t arguments[3]);
