#include "Async/thread_local_word.h"

#include <string.h>

static __thread uint64_t nothing __attribute__((tls_model("initial-exec")));

typedef struct tls_index {
  uint64_t module, offset;
} tls_index;
extern void *__tls_get_addr(const tls_index *);

static int64_t control_block(void) {
  int64_t address;
  __asm__("mov %%fs:0, %0" : "=r"(address));
  return address;
}

int64_t thread_local_nothing(void) { return (int64_t)&nothing - control_block(); }

const uint8_t *thread_local_after_prologue(const uint8_t *code) {
  static const uint8_t prologue[4] = {0x55, 0x48, 0x89, 0xE5};
  return memcmp(code, prologue, sizeof prologue) ? code : code + sizeof prologue;
}

const uint8_t *thread_local_base(const uint8_t *code, int64_t *offset) {
  static const uint8_t lea[3] = {0x48, 0x8D, 0x3D};
  static const uint8_t block[12] = {0x66, 0x66, 0x66, 0x64, 0x48, 0x8B, 0x04, 0x25, 0, 0, 0, 0};
  int32_t distance;
  if (!memcmp(code, block, sizeof block)) {
    *offset = 0;
    return code + sizeof block;
  }
  if (*code == 0x66 && code[1] == 0x48) code++;
  if (memcmp(code, lea, sizeof lea)) return NULL;
  memcpy(&distance, code + 3, 4);
  const uint8_t *index = code + 7 + distance, *call = code + 7;
  while (*call == 0x66 || *call == 0x48) call++;
  if (*call != 0xE8) return NULL;
  *offset = (int64_t)__tls_get_addr((const tls_index *)index) - control_block();
  return *offset < 0 && *offset > -(1 << 20) ? call + 5 : NULL;
}
