#pragma once
// Images: what is mapped where, found without taking the dynamic linker's locks.
#include <stdbool.h>
#include <stdint.h>

#include "lifeline_format.h"

typedef struct image {
  uint32_t id;     // 0: free entry
  uint32_t flags;  // LIFELINE_IMAGE_*
  uint64_t bias, first, end;
  uint64_t code, code_end;  // the executable segment
  const uint8_t *unwind_header;  // .eh_frame_hdr, or NULL
  uint8_t build_id[64];
  uint32_t build_id_size;
  char path[1024];
} image;

/// Registers every image that is loaded now.
void image_scan(void);
/// The image that contains an address, registered now if it is new; NULL when there is none.
const image *image_at(uint64_t address);
/// The same among registered images only.
const image *image_known(uint64_t address);
/// The image with a number, or NULL.
const image *image_by_id(uint32_t id);
/// Records the images that are no longer loaded as gone; `dropped` is called with the extent of each.
void image_drop_missing(void (*dropped)(uint64_t first, uint64_t end));
/// Writes all images to the trace of a forked child.
void image_record_all(void);
/// Paths with this prefix belong to the toolchain: the folder of the runtime.
void image_set_runtime_folder(const char *path_of_runtime);
