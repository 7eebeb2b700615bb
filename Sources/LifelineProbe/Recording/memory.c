#include "Recording/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

lifeline_range memory_ranges[LIFELINE_EXAMINE_RANGES];
uint32_t memory_range_count;

void memory_note(void *pages, size_t size) {
  uint32_t index = __atomic_fetch_add(&memory_range_count, 1, __ATOMIC_RELAXED);
  // What finds no room is taken for the program's: its words keep objects alive, and no leak is invented.
  if (index < LIFELINE_EXAMINE_RANGES) memory_ranges[index] = (lifeline_range){(uint64_t)pages, (uint64_t)pages + size};
}

void *memory_pages(size_t size, bool wiped_on_fork) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (wiped_on_fork && madvise(pages, size, MADV_WIPEONFORK) != 0) {
    // Without it a child would go on writing into its parent's trace.
    munmap(pages, size);
    return NULL;
  }
  memory_note(pages, size);
  return pages;
}

// The kernel checks the address for us: EFAULT where a load would be a SIGSEGV.
bool memory_read(const void *address, void *into, size_t size) {
  struct iovec local = {into, size}, remote = {(void *)address, size};
  return syscall(SYS_process_vm_readv, (long)getpid(), &local, 1L, &remote, 1L, 0L) == (long)size;
}

bool memory_read_string(const void *address, char *into, size_t limit) {
  size_t length = 0;
  while (length < limit) {
    // Up to the end of a 64-byte block, so that the read does not touch a page the string does not.
    size_t step = 64 - (((uintptr_t)address + length) & 63);
    if (step > limit - length) step = limit - length;
    if (!memory_read((const char *)address + length, into + length, step)) return false;
    if (memchr(into + length, 0, step)) return true;
    length += step;
  }
  into[limit - 1] = 0;
  return true;
}
