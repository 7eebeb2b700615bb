#include "Async/task.h"

#include <string.h>

#include "Process/runtime.h"

static __thread uint64_t no_task __attribute__((tls_model("initial-exec")));
int64_t task_offset;
bool task_is_known;
static uint64_t (*number_of)(uint64_t task);

static int64_t control_block(void) {
  int64_t address;
  __asm__("mov %%fs:0, %0" : "=r"(address));
  return address;
}

typedef struct tls_index {
  uint64_t module, offset;
} tls_index;
extern void *__tls_get_addr(const tls_index *);

/// The displacement of `mov disp8(%rax),%rax` or `mov disp32(%rax),%rax`.
static bool displacement(const uint8_t *code, int32_t *value) {
  if (code[0] != 0x48 || code[1] != 0x8B) return false;
  if (code[2] == 0x40) { *value = (int8_t)code[3]; return true; }
  if (code[2] != 0x80) return false;
  memcpy(value, code + 3, 4);
  return true;
}

/// Where swift_task_getCurrent reads from. Known shapes: a call of __tls_get_addr, as in a shared library that was
/// loaded with the program, and a fixed distance from the control block, as in a program that has the runtime linked
/// in.
static bool find_word(const uint8_t *code, int64_t *offset) {
  static const uint8_t prologue[4] = {0x55, 0x48, 0x89, 0xE5}, lea[3] = {0x48, 0x8D, 0x3D};
  static const uint8_t block[12] = {0x66, 0x66, 0x66, 0x64, 0x48, 0x8B, 0x04, 0x25, 0, 0, 0, 0};
  int32_t distance, field;
  if (!memcmp(code, prologue, sizeof prologue)) code += sizeof prologue;
  if (*code == 0x66 && code[1] == 0x48) code++;
  if (!memcmp(code, lea, sizeof lea)) {
    memcpy(&distance, code + 3, 4);
    const uint8_t *index = code + 7 + distance, *call = code + 7;
    while (*call == 0x66 || *call == 0x48) call++;
    if (*call != 0xE8 || !displacement(call + 5, &field)) return false;
    *offset = (int64_t)__tls_get_addr((const tls_index *)index) + field - control_block();
    // A library that was loaded later has its words elsewhere in each thread; those of the program lie below the block.
    return *offset < 0 && *offset > -(1 << 20);
  }
  if (!memcmp(code, block, sizeof block)) {
    if (!displacement(code + sizeof block, &field)) return false;
    *offset = field;
    return true;
  }
  return false;
}

void task_prepare(void) {
  task_offset = (int64_t)&no_task - control_block();
  const uint8_t *current = runtime_symbol("swift_task_getCurrent");
  number_of = (uint64_t (*)(uint64_t))runtime_symbol("swift_task_getJobTaskId");
  int64_t offset;
  task_is_known = current && number_of && find_word(current, &offset);
  if (task_is_known) task_offset = offset;
}

uint64_t task_number(uint64_t task) { return task ? number_of(task) : 0; }
