#include "Detection/repeated_call.h"

#include <string.h>

#include "Process/memory.h"

enum { CALL = 0xE8, CALL_SIZE = 5 };  // call rel32

/// The size of an instruction that puts an object into the first argument: mov disp(%rbp), %rdi or mov %reg, %rdi.
static unsigned load_size(const uint8_t *code) {
  if (code[0] == 0x48 && code[1] == 0x8B && code[2] == 0x7D) return 4;
  if (code[0] == 0x48 && code[1] == 0x8B && code[2] == 0xBD) return 7;
  if ((code[0] & 0xFB) == 0x48 && code[1] == 0x89 && (code[2] & 0xC7) == 0xC7) return 3;
  return 0;
}

static const uint8_t *target(const uint8_t *call) {
  int32_t distance;
  memcpy(&distance, call + 1, sizeof distance);
  return call + CALL_SIZE + distance;
}

enum { LONGEST = 7 /* instruction of load_size */, PAIR_SIZE = 2 * (LONGEST + CALL_SIZE) };

/// Whether a load of `size` bytes and a call come twice.
static bool is_pair(const uint8_t *load, unsigned size) {
  const uint8_t *call = load + size, *next = call + CALL_SIZE;
  return size && call[0] == CALL && next[size] == CALL && target(call) == target(next + size) &&
         !memcmp(load, next, size);
}

// The calls may be the last ones of the code that is mapped.
bool call_is_repeated(call_site at) {
  uint8_t code[PAIR_SIZE];
  if (!memory_read((const uint8_t *)at[1] - LONGEST - CALL_SIZE, code, sizeof code)) return false;
  unsigned size = load_size(code + LONGEST + CALL_SIZE);
  return is_pair(code + LONGEST - size, size);
}

bool call_precedes_repeated(call_site at) {
  uint8_t code[PAIR_SIZE];
  return memory_read((const uint8_t *)at[1], code, sizeof code) && is_pair(code, load_size(code));
}
