#pragma once
// Memory that is never the program's: pages straight from the kernel, and reads that cannot fault.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zeroed pages, or NULL. `wiped_on_fork` pages read as zero in a child process.
void *memory_pages(size_t size, bool wiped_on_fork);
/// Memory was read, there is none that can be read, or nobody may look.
enum memory_answer { MEMORY_READ, MEMORY_NONE, MEMORY_REFUSED };

/// Copies `size` bytes from `address`. The program cannot be harmed, whatever the address.
enum memory_answer memory_look(const void *address, void *into, size_t size);
/// Copies `size` bytes from `address`; false when any of them cannot be read.
bool memory_read(const void *address, void *into, size_t size);
/// Copies a terminated string of at most `limit - 1` bytes; false when it cannot be read or is longer.
bool memory_read_string(const void *address, char *into, size_t limit);
