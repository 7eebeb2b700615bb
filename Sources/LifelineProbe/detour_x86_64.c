#include "detour.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "instruction_x86_64.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGES = 4 * 4096, STUB = 96, JUMP_SIZE = 5 };

static uint8_t *stubs;
static size_t used;

bool detour_prepare(const void *address) {
  uintptr_t around = (uintptr_t)address & ~(uintptr_t)0xFFFF;
  // 1.5 GiB, so that every function of the image is in reach as well as `address`.
  for (uintptr_t distance = 1 << 20; distance < 0x60000000u; distance += 1 << 20) {
    for (int below = 0; below < 2; below++) {
      uintptr_t at = below ? around - distance : around + distance;
      void *got = mmap((void *)at, PAGES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got == (void *)at) { stubs = got; used = 0; return true; }
      if (got != MAP_FAILED) munmap(got, PAGES);
    }
  }
  return false;
}

static uint8_t *put_absolute_jump(uint8_t *at, const void *target) {
  static const uint8_t jump[6] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
  memcpy(at, jump, 6);
  memcpy(at + 6, &target, 8);
  return at + 14;
}

bool detour_install(void *function, void *hook, void **original) {
  if (!stubs || used + STUB > PAGES || ((uintptr_t)function & 7)) return false;
  uint8_t *entry = function, *stub = stubs + used;
  uint8_t *trampoline = put_absolute_jump(stub, hook);
  size_t written = 0, covered = instruction_relocate(entry, JUMP_SIZE, trampoline, &written);
  if (!covered) return false;
  put_absolute_jump(trampoline + written, entry + covered);

  int64_t offset = (int64_t)(stub - (entry + JUMP_SIZE));
  if (offset != (int32_t)offset) return false;
  int32_t relative = (int32_t)offset;
  uint64_t patched;
  memcpy(&patched, entry, 8);
  ((uint8_t *)&patched)[0] = 0xE9;
  memcpy((uint8_t *)&patched + 1, &relative, 4);

  uintptr_t page = (uintptr_t)entry & ~(uintptr_t)4095;
  // The stub must be runnable before the entry leads there: another thread may already be on its way.
  *original = trampoline;
  used += STUB;
  if (mprotect(stubs, PAGES, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  // One aligned 8-byte store: a thread that fetches the entry sees the old code or the new.
  __atomic_store_n((uint64_t *)entry, patched, __ATOMIC_SEQ_CST);
  mprotect((void *)page, 4096, PROT_READ | PROT_EXEC);
  return true;
}

void detour_finish(void) {
  if (stubs) mprotect(stubs, PAGES, PROT_READ | PROT_EXEC);
}
