#include "Detours/detour.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Detours/detour_trap.h"
#include "Detours/instruction_x86_64.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { REGION = 64 * 1024, REGIONS = 64, STUB = 96, JUMP_SIZE = 5, DETOURS = 256 };

// Memory for stubs, from the kernel; a bit for each 32 bytes in use.
static struct region {
  uint8_t *base;
  uint32_t used[REGION / 32 / 32];
} regions[REGIONS];
static uint32_t region_count;

// Every detour ever made: a removed one is installed again unchanged.
static struct detour {
  uint64_t *entry;
  uint64_t own, patched;  // the first eight bytes of the function, without and with the detour
  const void *hook;
  void *original;
  bool is_active;
} detours[DETOURS];
static uint32_t detour_count;

static bool is_free(const struct region *in, size_t first, size_t last) {
  for (size_t part = first / 32; part <= last / 32; part++)
    if (in->used[part / 32] & 1u << part % 32) return false;
  return true;
}

static struct region *add_region(uintptr_t at) {
  if (region_count == REGIONS) return NULL;
  void *got =
      mmap((void *)at, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return NULL;
  if (got != (void *)at) {
    munmap(got, REGION);
    return NULL;
  }
  regions[region_count] = (struct region){.base = got};
  return &regions[region_count++];
}

static enum detour_obstacle first_obstacle;

enum detour_obstacle detour_obstacle(void) { return first_obstacle; }

static bool refuse(enum detour_obstacle obstacle) {
  if (!first_obstacle) first_obstacle = obstacle;
  return false;
}

bool detour_prepare(const void *address) {
  if (region_count) return true;
  uintptr_t around = (uintptr_t)address & ~(uintptr_t)0xFFFF;
  // 1.5 GiB, so that every function of the image is in reach, not only `address`.
  for (uintptr_t distance = 1 << 20; distance < 0x60000000u; distance += 1 << 20)
    for (int below = 0; below < 2; below++)
      if (add_region(below ? around - distance : around + distance)) return true;
  return refuse(DETOUR_NO_ROOM);
}

/// Bytes of the jump's displacement that a thread may be about to execute: those where an instruction begins now. A
/// thread that was interrupted there resumes there after the change, so the byte has to be a trap.
static uint32_t inner_instructions(const uint8_t *entry) {
  uint32_t mask = 0;
  for (size_t at = 0;;) {
    size_t length = instruction_length(entry + at);
    // A relocated jump may have another size, so a thread after it could not be redirected.
    if (!length || instruction_branch_target(entry + at) || (at += length) >= JUMP_SIZE) return mask;
    mask |= 0xFFu << 8 * (at - 1);
  }
}

/// Whether a displacement has traps where the mask says.
static bool has_traps(uint32_t displacement, uint32_t mask) {
  return !((displacement ^ DETOUR_INT3 * 0x010101u) & mask & 0xFFFFFF) &&
         (!(mask >> 24) || detour_trap_is((uint8_t)(displacement >> 24)));
}

static uint8_t *stub_in(struct region *region, const uint8_t *end, uint32_t mask) {
  // The last byte of the address decides that of the displacement.
  size_t step = mask & 0xFF ? 256 : 32;
  size_t first = mask & 0xFF ? ((uintptr_t)end + DETOUR_INT3 - (uintptr_t)region->base) & 0xFF : 0;
  for (size_t at = first; at + STUB <= REGION; at += step) {
    int64_t offset = region->base + at - end;
    if (offset != (int32_t)offset) return NULL;
    if (!has_traps((uint32_t)offset, mask) || !is_free(region, at, at + STUB - 1)) continue;
    for (size_t part = at / 32; part <= (at + STUB - 1) / 32; part++) region->used[part / 32] |= 1u << part % 32;
    return region->base + at;
  }
  return NULL;
}

/// The highest byte of a displacement to try next: the traps if it has to be one, otherwise all in reach; 0 after the
/// last one.
static int8_t high_byte(uint32_t mask, unsigned number) {
  enum { LOWEST = -0x34, COUNT = 0x93 };
  if (mask >> 24) return (int8_t)detour_trap_byte(number);
  int high = LOWEST + (int)number;  // not 0: nearby, there are mostly other functions
  return number < COUNT ? (int8_t)(high < 0 ? high : high + 1) : 0;
}

/// Memory for a stub such that the displacement of a jump that ends at `end` has traps where the mask says.
static uint8_t *stub_for(const uint8_t *end, uint32_t mask) {
  uint8_t *stub = NULL;
  for (uint32_t i = 0; i < region_count && !stub; i++) stub = stub_in(&regions[i], end, mask);
  int8_t high;
  for (unsigned i = 0; !stub && (high = high_byte(mask, i)); i++) {
    for (uint32_t third = 0; third < 256 && !stub; third += 8) {
      uint32_t wanted = (uint32_t)(uint8_t)high << 24 | (mask & 0xFF0000 ? (uint32_t)DETOUR_INT3 : third) << 16;
      struct region *region =
          add_region(((uintptr_t)end + (uintptr_t)(int64_t)(int32_t)wanted + 4095) & ~(uintptr_t)4095);
      if (region) stub = stub_in(region, end, mask);
      if (mask & 0xFF0000) break;
    }
  }
  return stub;
}

static uint8_t *put_absolute_jump(uint8_t *at, const void *target) {
  static const uint8_t jump[6] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
  memcpy(at, jump, 6);
  memcpy(at + 6, &target, 8);
  return at + 14;
}

/// Whether a debugger has put a breakpoint among the instructions to move: it would be hit at their new place.
static bool has_breakpoint(const uint8_t *entry) {
  for (size_t at = 0; at < JUMP_SIZE;) {
    if (entry[at] == DETOUR_INT3) return true;
    size_t length = instruction_length(entry + at);
    if (!length) return false;
    at += length;
  }
  return false;
}

/// Puts eight bytes at a function's entry with one store: a thread that fetches them sees the old code or the new.
static bool change(uint64_t *entry, uint64_t bytes) {
  void *page = (void *)((uintptr_t)entry & ~(uintptr_t)4095);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  __atomic_store_n(entry, bytes, __ATOMIC_SEQ_CST);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  return true;
}

static struct detour *find(const void *function, const void *hook) {
  for (uint32_t i = 0; i < detour_count; i++)
    if (detours[i].entry == function && detours[i].hook == hook) return &detours[i];
  return NULL;
}

static bool set_again(struct detour *d, void **original) {
  if (*d->entry != d->own) return refuse(DETOUR_BREAKPOINT);
  *original = d->original;
  return (d->is_active = change(d->entry, d->patched)) || refuse(DETOUR_FORBIDDEN);
}

bool detour_install(void *function, void *hook, void **original) {
  if ((uintptr_t)function & 7) return refuse(DETOUR_UNKNOWN_CODE);
  struct detour *known = find(function, hook);
  if (known) return set_again(known, original);
  if (detour_count == DETOURS) return refuse(DETOUR_UNKNOWN_CODE);
  uint8_t *entry = function;
  if (has_breakpoint(entry)) return refuse(DETOUR_BREAKPOINT);
  uint32_t mask = inner_instructions(entry);
  uint8_t *stub = stub_for(entry + JUMP_SIZE, mask);
  // If there is no such memory, for example before a position-dependent program: good enough while there are no
  // threads.
  if (!stub && !detour_trap_is_on()) stub = stub_for(entry + JUMP_SIZE, mask = 0);
  if (!stub) return refuse(DETOUR_NO_ROOM);
  // The stub must be executable before the entry jumps there: another thread may call the function at any time.
  for (uint32_t i = 0; i < region_count; i++)
    if (mprotect(regions[i].base, REGION, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return refuse(DETOUR_FORBIDDEN);
  uint8_t *trampoline = put_absolute_jump(stub, hook);
  size_t written = 0, covered = instruction_relocate(entry, JUMP_SIZE, trampoline, &written);
  if (!covered) return refuse(DETOUR_UNKNOWN_CODE);
  put_absolute_jump(trampoline + written, entry + covered);

  int32_t relative = (int32_t)(stub - (entry + JUMP_SIZE));
  uint64_t own, patched;
  memcpy(&own, entry, 8);
  patched = own;
  ((uint8_t *)&patched)[0] = 0xE9;
  memcpy((uint8_t *)&patched + 1, &relative, 4);

  *original = trampoline;
  if (mask && !detour_trap_add(entry, mask, (uint32_t)relative, trampoline)) return refuse(DETOUR_NO_ROOM);
  if (!change((uint64_t *)entry, patched)) return refuse(DETOUR_FORBIDDEN);
  detours[detour_count++] = (struct detour){(uint64_t *)entry, own, patched, hook, trampoline, true};
  return true;
}

bool detour_lead(void *function, const void *hook) {
  enum { TARGET = 6 };  // of put_absolute_jump's instruction; the address behind it lies in one line of the cache
  int32_t relative;
  memcpy(&relative, (const uint8_t *)function + 1, 4);
  uint8_t *stub = (uint8_t *)function + JUMP_SIZE + relative;
  void *page = (void *)((uintptr_t)stub & ~(uintptr_t)4095);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  *(const void *volatile *)(stub + TARGET) = hook;
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  return true;
}

unsigned detour_remove_all(void) {
  unsigned left = 0;
  for (uint32_t i = 0; i < detour_count; i++) {
    struct detour *d = &detours[i];
    if (!d->is_active) continue;
    if (*d->entry == d->patched && change(d->entry, d->own)) d->is_active = false;
    else left++;
  }
  return left;
}

void detour_finish(void) {
  for (uint32_t i = 0; i < region_count; i++) mprotect(regions[i].base, REGION, PROT_READ | PROT_EXEC);
}
