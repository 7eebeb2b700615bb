#pragma once
// The sizes that the program's memory allocator reports, and how calls about our memory are kept from it.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the program's allocator answers about a block of its own.
size_t allocator_real_usable_size(void *pointer);
/// The usable size of a block that the program's allocator gives for `size` bytes.
size_t allocator_usable_size(size_t size);
/// Why guard pages must not be used with the program's allocator, as a sentence, or NULL.
const char *allocator_refuses_guards(void);
/// Whether the program checks freed memory itself: built with AddressSanitizer or LeakSanitizer.
bool allocator_is_sanitizer(void);
