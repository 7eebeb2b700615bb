#pragma once
#include <stdint.h>

/// Frees the disk blocks of a part of a file, which then reads as zero. Returns -1 and sets errno if the file system
/// does not support this. Defined here because Swift's Glibc module lacks fallocate(2).
int lifeline_discard(int descriptor, int64_t offset, int64_t length);
