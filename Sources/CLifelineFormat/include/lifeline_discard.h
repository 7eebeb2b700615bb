#pragma once
#include <stdint.h>

/// Gives the disk blocks of a part of a file back; the part then reads as zero. -1 and errno where the file system
/// cannot. Here because Swift's Glibc module does not have fallocate(2).
int lifeline_discard(int descriptor, int64_t offset, int64_t length);
