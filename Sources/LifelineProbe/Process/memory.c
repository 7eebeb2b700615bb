#include "Process/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "Process/signals.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

lifeline_range memory_ranges[LIFELINE_EXAMINE_RANGES];
uint32_t memory_range_count;

void memory_note(void *pages, size_t size) {
  uint32_t index = __atomic_fetch_add(&memory_range_count, 1, __ATOMIC_RELAXED);
  // Pages that do not fit count as the program's: their words keep objects alive, so no leak is invented.
  if (index < LIFELINE_EXAMINE_RANGES) memory_ranges[index] = (lifeline_range){(uint64_t)pages, (uint64_t)pages + size};
}

void *memory_pages(size_t size, bool wiped_on_fork) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (wiped_on_fork && madvise(pages, size, MADV_WIPEONFORK) != 0) {
    // Without it a child would keep writing into its parent's trace.
    munmap(pages, size);
    return NULL;
  }
  memory_note(pages, size);
  return pages;
}

/// Checks without process_vm_readv, which a sandbox may deny. For an invalid change of the signal mask the kernel reads
/// the new mask first, fails because of its address or else because of the invalid request, and changes nothing.
static enum memory_answer probe(uint64_t address, size_t size) {
  enum { NO_SUCH_WAY = 0x7FFF };
  // An aligned word is on one page, so one word of each page is enough.
  for (uint64_t at = address & ~7ull; at < address + size; at = (at & ~4095ull) + 4096) {
    long result = signals_system_call(SYS_rt_sigprocmask, NO_SUCH_WAY, (long)at, 0, 8);
    if (result == -EFAULT) return MEMORY_NONE;
    if (result != -EINVAL) return MEMORY_REFUSED;
  }
  return MEMORY_READ;
}

// The kernel checks the address for us: EFAULT where a load would be a SIGSEGV. Any other error is a denial, not an
// answer.
enum memory_answer memory_look(const void *address, void *into, size_t size) {
  static bool is_refused;
  if (!size) return MEMORY_READ;
  if (!__atomic_load_n(&is_refused, __ATOMIC_RELAXED)) {
    struct iovec local = {into, size}, remote = {(void *)address, size};
    long process = signals_system_call(SYS_getpid, 0, 0, 0, 0);
    register long remotes __asm__("r10") = (long)&remote;
    register long remote_count __asm__("r8") = 1, flags __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_process_vm_readv), "D"(process), "S"(&local), "d"(1L), "r"(remotes), "r"(remote_count),
                       "r"(flags)
                     : "rcx", "r11", "memory");
    if (result == (long)size) return MEMORY_READ;
    if (result >= 0 || result == -EFAULT) return MEMORY_NONE;
    __atomic_store_n(&is_refused, true, __ATOMIC_RELAXED);
  }
  enum memory_answer answer = probe((uint64_t)address, size);
  if (answer == MEMORY_READ) memcpy(into, address, size);
  return answer;
}

bool memory_read(const void *address, void *into, size_t size) {
  return memory_look(address, into, size) == MEMORY_READ;
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
