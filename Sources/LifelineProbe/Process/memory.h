#pragma once
// The probe's own memory: pages directly from the kernel; and reads that cannot fault.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lifeline_examine.h"

/// All of the probe's own pages; the count may be larger than the table.
extern lifeline_range memory_ranges[LIFELINE_EXAMINE_RANGES];
extern uint32_t memory_range_count;

/// Notes pages that the probe mapped itself.
void memory_note(void *pages, size_t size);
/// Zeroed pages, or NULL. `wiped_on_fork` pages read as zero in a child process.
void *memory_pages(size_t size, bool wiped_on_fork);
/// Memory was read, is not readable, or must not be inspected.
enum memory_answer { MEMORY_READ, MEMORY_NONE, MEMORY_REFUSED };

/// Copies `size` bytes from `address`. The program cannot be harmed, whatever the address.
enum memory_answer memory_look(const void *address, void *into, size_t size);
/// Copies `size` bytes from `address`; false when any of them cannot be read.
bool memory_read(const void *address, void *into, size_t size);
/// Copies the first `limit - 1` bytes of a terminated string, and ends it; false when they cannot be read.
bool memory_read_string(const void *address, char *into, size_t limit);
