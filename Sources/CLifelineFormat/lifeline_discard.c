#define _GNU_SOURCE
#include "lifeline_discard.h"

#include <fcntl.h>

int lifeline_discard(int descriptor, int64_t offset, int64_t length) {
  return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
}
